#!/bin/bash
# The demonstration: real text through a sandboxed keyboard, and one that is refused.
#
# `make demo` has built everything. Nothing of the user's is touched: the home is a throw-away one.
# Every step says what it shows and checks it; the status is not 0 if any of it is not so.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

stage=$(mktemp -d /tmp/keyhost-demo-XXXXXX)
trap 'rm -rf -- "$stage"' EXIT
# As root every keyboard has a user id of its own, which has to be able to walk through.
chmod 0711 "$stage"
Scripts/install "$stage/prefix"
mkdir -m 0711 "$stage"/{home,config,data,state,cache}
mkdir -m 0700 "$stage/run"
export HOME=$stage/home XDG_CONFIG_HOME=$stage/config XDG_DATA_HOME=$stage/data
export XDG_STATE_HOME=$stage/state XDG_CACHE_HOME=$stage/cache XDG_RUNTIME_DIR=$stage/run
export PATH="$stage/prefix/bin:/usr/bin:/bin"

bold='' plain=''
if [[ -t 1 ]]; then bold=$'\e[1m' plain=$'\e[0m'; fi
number=0
# step TEXT: what comes next, for the person who watches.
step() {
  number=$((number + 1))
  printf '\n%s%d. %s%s\n' "$bold" "$number" "$1" "$plain"
}
fail() {
  printf '\nThe demonstration failed in step %d: %s\n' "$number" "$1" >&2
  exit 1
}
# run COMMAND...: shows a command, runs it, shows and keeps its output in $output.
run() {
  printf '$ %s\n' "$*"
  output=$("$@" 2>&1) || {
    printf '%s\n' "$output"
    fail "the command above ended with status $?"
  }
  printf '%s\n' "$output"
}
# must WORDS: the output of the last command holds them.
must() {
  [[ "$output" == *"$1"* ]] || fail "the output above does not have \"$1\""
}
# must_not WORDS
must_not() {
  [[ "$output" != *"$1"* ]] || fail "the output above has \"$1\""
}
habra=org.keyhost.examples.habra.keyboard
intruder=org.keyhost.examples.intruder.keyboard

step "What this kernel enforces, and what a keyboard would get"
run keyhost doctor

step "Two apps with keyboards in them are installed; installing enables nothing"
run keyhost apps install dist/Habra.app
run keyhost apps install dist/Intruder.app
run keyhost keyboards list
must "$habra"
must "$intruder"
printf '$ printf hello | keyhost type\n'
output=$(printf hello | keyhost type 2>&1)
printf '%s\n' "$output"
must hello
must "no custom keyboard is enabled"

step "The user enables the tag keyboard"
run keyhost keyboards add "$habra"

step "A comment with tags, typed through it; then a password, a phone number, an app that objects"
script='{"open":"comment","app":"org.example.forum"}
{"focus":"comment"}
{"type":"nice "}
{"tap":"tag.b"}
{"type":"work"}
{"swipe":"right","count":4}
{"open":"password","field":{"isSecureTextEntry":true}}
{"focus":"password"}
{"type":"hunter2"}
{"open":"phone","field":{"keyboardType":"phonePad"}}
{"focus":"phone"}
{"type":"5550100"}
{"open":"amount","app":"org.example.bank","answer":"deny"}
{"focus":"amount"}
{"type":"12"}
{"focus":"comment"}
{"type":", and "}
{"tap":"tag.i"}
{"type":"fast"}'
printf '%s\n' "$script" | sed 's/^/  /'
printf '$ keyhost type --events < script\n'
output=$(keyhost type --events <<<"$script" 2>&1) || fail "typing ended with status $?: $output"
printf '%s\n' "$output"
must 'comment: nice <b>work</b>, and <i>fast</i>'
must 'password: hunter2'
must 'phone: 5550100'
must 'amount: 12'
must 'comment: typed with Habra Tags'
must 'password: the system keyboard, because the field is secure'
must 'phone: the system keyboard, because the field wants the phonePad keyboard'
must 'amount: the system keyboard, because the app does not allow custom keyboards'

step "What the log says: one process, frozen while a field refused it, and not a word of the text"
run keyhost log --keyboard "$habra"
must launch
must freeze
must resume
must_not hunter2
must_not nice

step "Why a field refuses, without starting anything"
printf '$ keyhost explain --field '\''{"keyboardType":"phonePad"}'\''\n'
status=0
output=$(keyhost explain --field '{"keyboardType":"phonePad"}' 2>&1) || status=$?
printf '%s\n' "$output"
[[ $status -eq 1 && "$output" == refused* ]] || fail "the field was not refused"

step "A keyboard that nobody should trust: it tries a socket, a connection, a sound device, a shell"
run keyhost keyboards add "$intruder"
printf '$ printf "all is well" | keyhost type --keyboard %s --show-output\n' "$intruder"
output=$(printf 'all is well' | keyhost type --keyboard "$intruder" --show-output 2>&1) ||
  fail "typing ended with status $?: $output"
printf '%s\n' "$output"
must 'all is well'
must 'open a sound device: refused'
must_not 'was opened'
must_not 'connected'

step "What it tried, as the kernel told the host, and what held it"
run keyhost log --keyboard "$intruder" --event violation
must systemCall=socket
must AF_INET
must systemCall=execve
# The device is opened as sound libraries do, for writing too; the private root has none.
must 'openat of /dev/'
run keyhost log --keyboard "$intruder" --event launch --json
must '"privateRoot":"enforced"'
must '"landlock":"enforced"'
must '"seccomp":"enforced"'

printf '\nEverything above was so.\n'
