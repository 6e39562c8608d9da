// The keyboard of the launch tests: obeys one command a line on descriptor 0 and answers with one
// line each on descriptor 3. A number alone is an errno; 0 means that it worked.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static char answer[65536];
static size_t used;
// Whether the thread that obeys is to end, and another to go on.
static int leaves_first;

static void say(const char *text) {
  size_t length = strlen(text);
  if (used + length < sizeof answer) memcpy(answer + used, text, length + 1), used += length;
}

static void number(long value) {
  char text[32];
  snprintf(text, sizeof text, "%ld", value);
  say(text);
}

static void outcome(long result) { number(result < 0 ? errno : 0); }

static void *spin(void *unused) {
  (void)unused;
  for (;;) syscall(SYS_getppid);
}

static void descriptors(void) {
  for (int fd = 0; fd < 4096; fd++) {
    if (fcntl(fd, F_GETFD) < 0) continue;
    number(fd);
    say(" ");
  }
}

static void capabilities(void) {
  struct { unsigned version; int pid; } header = {0x20080522, 0};
  unsigned data[6] = {0};
  syscall(SYS_capget, &header, data);
  for (int index = 0; index < 6; index++) number(data[index]), say(" ");
  int bounding = 0, ambient = 0;
  for (int cap = 0; cap < 64; cap++) {
    bounding += prctl(PR_CAPBSET_READ, cap, 0, 0, 0) == 1;
    ambient += prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, cap, 0, 0) == 1;
  }
  say("bounding "), number(bounding), say(" ambient "), number(ambient);
  say(" securebits "), number(prctl(PR_GET_SECUREBITS, 0, 0, 0, 0));
}

static void identity(void) {
  uid_t u[3];
  gid_t g[3];
  getresuid(&u[0], &u[1], &u[2]);
  getresgid(&g[0], &g[1], &g[2]);
  char text[200];
  gid_t groups[64];
  int count = getgroups(64, groups);
  snprintf(text, sizeof text, "uid %u %u %u gid %u %u %u groups %d", u[0], u[1], u[2], g[0], g[1],
           g[2], count);
  say(text);
}

static void list(const char *path) {
  DIR *folder = opendir(path);
  if (!folder) { number(errno); return; }
  struct dirent *entry;
  while ((entry = readdir(folder))) {
    if (entry->d_name[0] == '.' && (!entry->d_name[1] || entry->d_name[1] == '.')) continue;
    say(entry->d_name), say(" ");
  }
  closedir(folder);
}

static void limits(void) {
  for (int resource = 0; resource < 16; resource++) {
    struct rlimit limit;
    getrlimit(resource, &limit);
    char text[80];
    snprintf(text, sizeof text, "%d:%llu/%llu ", resource, (unsigned long long)limit.rlim_cur,
             (unsigned long long)limit.rlim_max);
    say(text);
  }
}

static void connects(int port) {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0) { number(errno); return; }
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(0x7f000001);
  outcome(connect(fd, (struct sockaddr *)&address, sizeof address));
  close(fd);
}

static void sockets(int family, int type) {
  int fd = socket(family, type, 0);
  outcome(fd);
  if (fd >= 0) close(fd);
}

static void forks(void) {
  pid_t child = fork();
  if (child == 0) { for (;;) pause(); }
  if (child < 0) number(errno); else number(0);
}

static void obey(char *line) {
  char *word = strtok(line, " ");
  char *one = strtok(NULL, " ");
  char *two = strtok(NULL, " ");
  if (!word) return;
#define COMMAND(name) else if (!strcmp(word, name))
  if (0) {}
  COMMAND("descriptors") descriptors();
  COMMAND("environment") for (char **each = environ; *each; each++) say(*each), say("\x1f");
  COMMAND("identity") identity();
  COMMAND("capabilities") capabilities();
  COMMAND("no-new-privileges") number(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
  COMMAND("seccomp") number(prctl(PR_GET_SECCOMP, 0, 0, 0, 0));
  COMMAND("death-signal") { int s = 0; prctl(PR_GET_PDEATHSIG, &s, 0, 0, 0); number(s); }
  COMMAND("session") number(getsid(0)), say(" "), number(getpgrp()), say(" "), number(getpid()),
      say(" "), number(getppid());
  COMMAND("limits") limits();
  COMMAND("folder") { char path[4096]; say(getcwd(path, sizeof path) ? path : "?"); }
  COMMAND("host-name") { char name[256]; gethostname(name, sizeof name); say(name); }
  COMMAND("mask") { mode_t mask = umask(0); umask(mask); number(mask); }
  COMMAND("signals") {
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    int count = 0;
    for (int s = 1; s < 65; s++) {
      struct sigaction action;
      if (sigaction(s, NULL, &action) == 0 && action.sa_handler != SIG_DFL) count++;
      count += sigismember(&blocked, s) == 1;
    }
    number(count);
  }
  COMMAND("list") list(one);
  COMMAND("read") { int fd = open(one, O_RDONLY); outcome(fd); if (fd >= 0) close(fd); }
  COMMAND("write") { int fd = open(one, O_WRONLY | O_CREAT, 0600); outcome(fd); if (fd >= 0) close(fd); }
  COMMAND("truncate") outcome(truncate(one, 0));
  COMMAND("status") { struct stat found; outcome(stat(one, &found)); }
  COMMAND("make-folder") outcome(mkdir(one, 0700));
  COMMAND("remove") outcome(remove(one));
  COMMAND("rename") outcome(rename(one, two));
  COMMAND("link") outcome(symlink(one, two));
  COMMAND("make-pipe") outcome(mkfifo(one, 0600));
  COMMAND("mode") outcome(chmod(one, 0777));
  COMMAND("run") { char *arguments[] = {one, NULL}; execve(one, arguments, environ); number(errno); }
  COMMAND("map-executable") {
    int fd = open(one, O_RDONLY);
    if (fd < 0) number(errno);
    else { outcome(mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) == MAP_FAILED ? -1 : 0); close(fd); }
  }
  COMMAND("socket") sockets(atoi(one), atoi(two));
  COMMAND("connect") connects(atoi(one));
  COMMAND("fork") forks();
  COMMAND("signal") outcome(kill(atoi(one), atoi(two)));
  COMMAND("trace") outcome(ptrace(PTRACE_TRACEME, 0, 0, 0));
  COMMAND("raise-user") outcome(syscall(SYS_setresuid, 0, 0, 0));
  COMMAND("flood") { for (long n = atol(one); n > 0; n--) syscall(SYS_socket, AF_INET, SOCK_STREAM, 0); number(0); }
  COMMAND("memory") {
    size_t size = (size_t)atol(one) << 20;
    char *block = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) number(errno); else { memset(block, 1, size); number(0); }
  }
  COMMAND("threads") {
    long made = 0;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    for (long n = atol(one); n > 0; n--) {
      pthread_t thread;
      if (pthread_create(&thread, &small, spin, NULL)) break;
      made++;
    }
    number(made);
  }
  COMMAND("fill") {
    int fd = open(one, O_WRONLY | O_CREAT, 0600);
    signal(SIGXFSZ, SIG_IGN);
    static char block[65536];
    long written = 0;
    ssize_t part;
    while ((part = write(fd, block, sizeof block)) > 0) written += part;
    number(written), say(" "), number(errno);
    close(fd);
  }
  COMMAND("many") {
    // Empty files of numbered names; how many, and why no more.
    char path[4096];
    long made = 0, wanted = atol(two);
    errno = 0;
    for (; made < wanted; made++) {
      snprintf(path, sizeof path, "%s%ld", one, made);
      int fd = open(path, O_WRONLY | O_CREAT, 0600);
      if (fd < 0) break;
      close(fd);
    }
    number(made), say(" "), number(made < wanted ? errno : 0);
  }
  COMMAND("hoard") {
    // Stays open, without a name.
    int fd = open(one, O_WRONLY | O_CREAT, 0600);
    static char block[65536];
    for (long n = atol(two); n > 0; n -= (long)sizeof block) (void)!write(fd, block, sizeof block);
    outcome(unlink(one));
  }
  COMMAND("map-hoard") {
    // Closed, without a name, and mapped.
    int fd = open(one, O_RDWR | O_CREAT, 0600);
    static char block[65536];
    for (long n = atol(two); n > 0; n -= (long)sizeof block) (void)!write(fd, block, sizeof block);
    void *place = mmap(0, 4096, PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    outcome(place == MAP_FAILED ? -1 : unlink(one));
  }
  COMMAND("map-often") {
    // Each page a mapping of its own, of a file if one is named.
    int fd = two ? open(two, O_RDONLY | O_CREAT, 0600) : -1;
    long made = 0;
    for (long n = atol(one); n > 0; n--) {
      int kind = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_PRIVATE;
      if (mmap(0, 4096, n % 2 ? PROT_READ : PROT_NONE, kind, fd, 0) == MAP_FAILED) break;
      made++;
    }
    if (fd >= 0) close(fd);
    number(made);
  }
  COMMAND("end-first-thread") {
    leaves_first = 1;
    number(0);
  }
  COMMAND("exit") _exit(atoi(one));
  COMMAND("spin") spin(NULL);
  COMMAND("babble") {
    static char block[4096];
    memset(block, 'x', sizeof block);
    for (long n = atol(one); n > 0; n -= (long)sizeof block) (void)!write(2, block, sizeof block);
    number(0);
  }
  else say("what?");
}

static void *serve(void *unused) {
  (void)unused;
  static char line[8192];
  size_t length = 0;
  for (;;) {
    ssize_t got = read(0, line + length, 1);
    if (got <= 0) _exit(0);
    if (line[length] != '\n') { if (length < sizeof line - 2) length++; continue; }
    line[length] = 0;
    length = 0;
    used = 0;
    obey(line);
    say("\n");
    if (write(3, answer, used) < 0) _exit(1);
    if (!leaves_first) continue;
    leaves_first = 0;
    pthread_t next;
    if (!pthread_create(&next, NULL, serve, NULL)) syscall(SYS_exit, 0);
  }
}

int main(void) { serve(NULL); }
