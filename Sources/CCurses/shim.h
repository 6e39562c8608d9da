// The wide-character curses, in calls that Swift can import: curses itself is made of macros and
// of global variables.
#ifndef CCURSES_SHIM_H
#define CCURSES_SHIM_H

#define _XOPEN_SOURCE_EXTENDED 1
#define NCURSES_WIDECHAR 1
#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <stdio.h>
#include <string.h>
#include <term.h>

// What a call of ccurses_read() found.
enum {
  CCURSES_NOTHING,
  // A byte of UTF-8: curses, asked for whole characters, forgets one that comes in pieces.
  CCURSES_BYTE,
  CCURSES_KEY,
  // What the mouse did follows: numbers, or a byte for each number.
  CCURSES_MOUSE,
  CCURSES_OLD_MOUSE,
  CCURSES_RESIZE,
  CCURSES_END
};

// Keys that type nothing, by names of this file: curses names them by numbers of its own.
enum {
  CCURSES_UP = 1,
  CCURSES_DOWN,
  CCURSES_LEFT,
  CCURSES_RIGHT,
  CCURSES_SHIFT_LEFT,
  CCURSES_SHIFT_RIGHT,
  CCURSES_HOME,
  CCURSES_END_KEY,
  CCURSES_DELETE,
  CCURSES_BACKSPACE,
  CCURSES_ENTER,
  CCURSES_BACK_TAB,
  CCURSES_FUNCTION = 100  // and above: F1 is 101
};

// The beginnings of what a terminal says of its mouse, as keys of ours: in the form that xterm calls SGR,
// and in that of terminals that do not know it.
#define CCURSES_MOUSE_KEY (KEY_MAX + 1)
#define CCURSES_OLD_MOUSE_KEY (KEY_MAX + 2)

// Pairs of colours, from 1.
static const short ccurses_colors[] = {COLOR_GREEN, COLOR_RED, COLOR_YELLOW, COLOR_CYAN};

// Takes the terminal over. 0, or -1 where it is of no known kind.
static inline int ccurses_begin(void) {
  setlocale(LC_ALL, "");
  // Without a locale the terminal is taken for what nearly all are today.
  if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) setlocale(LC_CTYPE, "C.UTF-8");
  if (newterm(NULL, stdout, stdin) == NULL) return -1;
  raw();
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  set_escdelay(25);
  // The mouse is read here and not by curses, which waits, behind a report that nobody asked it for
  // such as a release, for the next byte even where it was told not to wait.
  const char *mouse = tigetstr("kmous");
  if (mouse != NULL && mouse != (char *)-1) {
    define_key(NULL, KEY_MOUSE);
    define_key("\033[<", CCURSES_MOUSE_KEY);
    define_key("\033[M", CCURSES_OLD_MOUSE_KEY);
    putp("\033[?1000h\033[?1006h");
  }
  // What is pasted comes between marks (xterm's bracketed paste), where a terminal knows that.
  putp("\033[?2004h");
  // It goes through stdio, and what curses writes does not.
  fflush(stdout);
  if (has_colors()) {
    start_color();
    use_default_colors();
    for (short pair = 0; pair < 4; pair++) init_pair(pair + 1, ccurses_colors[pair], -1);
  }
  return 0;
}

static inline void ccurses_end(void) {
  const char *mouse = tigetstr("kmous");
  if (mouse != NULL && mouse != (char *)-1) putp("\033[?1006l\033[?1000l");
  putp("\033[?2004l");
  fflush(stdout);
  endwin();
}

static inline int ccurses_rows(void) { return getmaxy(stdscr); }
static inline int ccurses_columns(void) { return getmaxx(stdscr); }
static inline void ccurses_erase(void) { erase(); }

static inline void ccurses_put(
    int row, int column, const char *text, int bold, int dim, int reversed, int color) {
  attr_t attributes = (bold ? A_BOLD : 0) | (dim ? A_DIM : 0) | (reversed ? A_REVERSE : 0);
  if (color > 0 && has_colors()) attributes |= COLOR_PAIR(color);
  attrset(attributes);
  mvaddstr(row, column, text);
  attrset(A_NORMAL);
}

// Shows what was put, with the cursor there, or without one where the row is negative.
static inline void ccurses_show(int row, int column) {
  curs_set(row < 0 ? 0 : 1);
  if (row >= 0) move(row, column);
  refresh();
}

static inline int ccurses_read(int *value) {
  int code = getch();
  if (code == ERR) return feof(stdin) ? CCURSES_END : CCURSES_NOTHING;
  *value = code;
  if (code < 256) return CCURSES_BYTE;
  if (code == KEY_RESIZE) return CCURSES_RESIZE;
  if (code == CCURSES_MOUSE_KEY) return CCURSES_MOUSE;
  if (code == CCURSES_OLD_MOUSE_KEY) return CCURSES_OLD_MOUSE;
  switch (code) {
    case KEY_UP: *value = CCURSES_UP; break;
    case KEY_DOWN: *value = CCURSES_DOWN; break;
    case KEY_LEFT: *value = CCURSES_LEFT; break;
    case KEY_RIGHT: *value = CCURSES_RIGHT; break;
    case KEY_SLEFT: *value = CCURSES_SHIFT_LEFT; break;
    case KEY_SRIGHT: *value = CCURSES_SHIFT_RIGHT; break;
    case KEY_HOME: *value = CCURSES_HOME; break;
    case KEY_END: *value = CCURSES_END_KEY; break;
    case KEY_DC: *value = CCURSES_DELETE; break;
    case KEY_BACKSPACE: *value = CCURSES_BACKSPACE; break;
    case KEY_ENTER: *value = CCURSES_ENTER; break;
    case KEY_BTAB: *value = CCURSES_BACK_TAB; break;
    default:
      // One that means nothing here; there may be more behind it.
      *value = code < KEY_F(1) || code > KEY_F(12) ? 0 : CCURSES_FUNCTION + code - KEY_F0;
  }
  return CCURSES_KEY;
}

#endif
