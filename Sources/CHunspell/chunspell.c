#include "CHunspell.h"

#include <dlfcn.h>
#include <pthread.h>

#include <hunspell/hunspell.h>

const char *const chunspell_library_name = "libhunspell-1.7.so.0";

static struct {
  __typeof__(Hunspell_create) *create;
  __typeof__(Hunspell_destroy) *destroy;
  __typeof__(Hunspell_get_dic_encoding) *encoding;
  __typeof__(Hunspell_spell) *spell;
  __typeof__(Hunspell_suggest) *suggest;
  __typeof__(Hunspell_free_list) *free_list;
  int is_there;
} calls;

static void find(void) {
  void *library = dlopen(chunspell_library_name, RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  calls.create = (__typeof__(calls.create))dlsym(library, "Hunspell_create");
  calls.destroy = (__typeof__(calls.destroy))dlsym(library, "Hunspell_destroy");
  calls.encoding = (__typeof__(calls.encoding))dlsym(library, "Hunspell_get_dic_encoding");
  calls.spell = (__typeof__(calls.spell))dlsym(library, "Hunspell_spell");
  calls.suggest = (__typeof__(calls.suggest))dlsym(library, "Hunspell_suggest");
  calls.free_list = (__typeof__(calls.free_list))dlsym(library, "Hunspell_free_list");
  calls.is_there = calls.create && calls.destroy && calls.encoding && calls.spell &&
                   calls.suggest && calls.free_list;
}

int chunspell_is_there(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find);
  return calls.is_there;
}

// All dictionaries in UTF-8 share a table of letters, which Hunspell makes for the first and frees after
// the last, by a count that nothing guards. To ask needs no lock: who asks has a dictionary, and so
// the table stays.
static pthread_mutex_t lives = PTHREAD_MUTEX_INITIALIZER;

chunspell_dictionary *chunspell_open(const char *affixes, const char *words) {
  if (!chunspell_is_there()) return NULL;
  pthread_mutex_lock(&lives);
  chunspell_dictionary *dictionary = (chunspell_dictionary *)calls.create(affixes, words);
  pthread_mutex_unlock(&lives);
  return dictionary;
}

void chunspell_close(chunspell_dictionary *dictionary) {
  pthread_mutex_lock(&lives);
  calls.destroy((Hunhandle *)dictionary);
  pthread_mutex_unlock(&lives);
}

const char *chunspell_encoding(chunspell_dictionary *dictionary) {
  return calls.encoding((Hunhandle *)dictionary);
}

int chunspell_spell(chunspell_dictionary *dictionary, const char *word) {
  return calls.spell((Hunhandle *)dictionary, word);
}

int chunspell_suggest(chunspell_dictionary *dictionary, char ***list, const char *word) {
  *list = NULL;
  return calls.suggest((Hunhandle *)dictionary, list, word);
}

void chunspell_free(chunspell_dictionary *dictionary, char ***list, int count) {
  calls.free_list((Hunhandle *)dictionary, list, count);
}
