import Glibc
import TestSupport
import Testing

/// Keyboards in other languages, with what the distribution's packages of their interpreters have.
@Suite("Interpreters")
struct InterpreterTests {
  /// With nothing but Perl's core modules, one of which is written in Perl alone.
  private static let perl = #"""
    #!/usr/bin/perl
    use strict; use warnings; use JSON::PP; use Time::Local; use Encode; use List::Util qw(first);
    binmode STDIN; open(my $out, ">>&=", 3) or die; $out->autoflush(1);
    my @keys = map { { id => "key $_", label => $_, insertText => $_ } } "a".."t";
    while (my $line = <STDIN>) {
      my $message = decode_json($line);
      last if ($message->{method} // "") eq "exit";
      next unless defined $message->{id} && $message->{method};
      my $tap = $message->{params}{event}{tap};
      my $key = defined $tap ? first { $_->{id} eq $tap } @keys : undef;
      my $result = $message->{method} eq "initialize"
        ? { protocolVersion => 1, layout => { rows => [\@keys] } }
        : { edits => $key ? [ { insertText => uc $key->{insertText} } ] : [] };
      syswrite $out, encode_json({ jsonrpc => "2.0", id => $message->{id}, result => $result })
        . "\n";
    }

    """#

  @Test(
    "a keyboard in Perl types with the core modules",
    .enabled(if: interpreter("/usr/bin/perl", needs: "/usr/share/perl")))
  func perl() throws {
    let home = try MisbehaviourTests.home(Self.perl)
    let run = try TypedRun(
      try home.keyhost("type", "--json", "--show-output", input: "hello"))
    #expect(run.texts == ["document": "HELLO"], "\(run.result)")
    #expect(run.handlers(of: "document") == [MisbehaviourTests.identifier], "\(run.result)")
  }

  private static func interpreter(_ path: String, needs library: String) -> Bool {
    access(path, X_OK) == 0 && access(library, R_OK) == 0
  }
}
