#!/bin/sh
# Assembles the example apps: copies each bundle's tree and puts the built program of a compiled
# keyboard into it.
#
#   Examples/assemble.sh BUILD_DIR OUT_DIR
#
# BUILD_DIR is where SwiftPM put the programs (.build/release). OUT_DIR gets Habra.app,
# PythonType.app and Intruder.app; what was there under these names is replaced.
set -eu

if [ $# -ne 2 ]; then
  echo "usage: $0 BUILD_DIR OUT_DIR" >&2
  exit 2
fi
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
build=$1
out=$2

# Puts NAME.app of an example's folder into OUT_DIR, with the program of a compiled keyboard.
assemble() {
  folder=$1 name=$2 keyboard=$3 program=${4-}
  staged=$out/.$name.app.$$
  rm -rf -- "$staged"
  cp -R -- "$here/$folder/$name.app" "$staged"
  if [ -n "$program" ]; then
    if [ ! -x "$build/$program" ]; then
      rm -rf -- "$staged"
      echo "$0: $build/$program is missing; build it first: swift build -c release --product $program" >&2
      exit 1
    fi
    cp -- "$build/$program" "$staged/PlugIns/$keyboard.appex/$program"
  fi
  # A program that others may write is refused when it is installed.
  chmod -R go-w,a+rX -- "$staged"
  chmod 755 -- "$staged/PlugIns/$keyboard.appex/$keyboard"
  rm -rf -- "$out/$name.app"
  mv -- "$staged" "$out/$name.app"
}

mkdir -p -- "$out"
assemble Habra Habra HabraKeyboard HabraKeyboard
assemble Python PythonType PythonKeyboard
assemble Intruder Intruder IntruderKeyboard
