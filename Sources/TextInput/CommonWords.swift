/// Words that are typed often, the oftenest first.
enum CommonWords {
  /// The words of a language; none for one whose words are not known here.
  static func words(language: String?) -> [String] {
    let primary = language?.prefix { $0 != "-" && $0 != "_" }.lowercased()
    return primary == "en" ? english : []
  }

  private static let english = """
    the to and a of in I is that it for you on was with have this be not are but at my we they so \
    he just me what as all do she can if about when there your will get from out like one up no know \
    an or think would how time good really more some going who now go because been people her had has \
    see then want here make their very back than only our day could well him much thing even also too \
    its were them did work way over need other off right any still said after first take where by \
    should love today great which us down into don't I'm can't it's that's I'll I've didn't doesn't \
    isn't won't couldn't wouldn't you're they're we're let's there's what's hello thanks thank please \
    sorry yes tomorrow yesterday morning evening night week month year home house school office \
    meeting friend friends family mother father brother sister child children man woman something \
    nothing everything anything someone anyone everyone always never sometimes often again already \
    before between through under without around another both each few many most next last long little \
    big small new old young early late soon later maybe probably actually pretty better best same \
    different important possible sure happy nice beautiful amazing wonderful interesting wrong money \
    phone number email message address place world country city street water food dinner lunch \
    breakfast coffee money question answer problem reason idea story book music movie game party \
    birthday weekend Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March \
    April May June July August September October November December believe remember understand \
    receive definitely separate necessary tell talk say call come keep give find feel leave put mean \
    start show try ask use work play move live wait watch follow stop read write learn change open \
    walk win buy pay send build stay fall cut reach kill meet bring happen run help hear hold turn \
    hope wish looking coming making getting doing having being trying saying working talking thinking
    """.split { $0.isWhitespace }.map(String.init)
}
