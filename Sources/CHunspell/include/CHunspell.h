// Hunspell, found when it is wanted and not when the program starts: a host without the library
// types without corrections. The library's own header checks the types of the calls.
#ifndef CHUNSPELL_H
#define CHUNSPELL_H

#include <stddef.h>

typedef struct chunspell_dictionary chunspell_dictionary;

/// The name that the library is looked for by.
extern const char *const chunspell_library_name;

/// Whether the library is there with every call that is needed. Can be called from any thread.
int chunspell_is_there(void);

/// A dictionary of two files, or NULL.
chunspell_dictionary *chunspell_open(const char *affixes, const char *words);
void chunspell_close(chunspell_dictionary *dictionary);

/// The name of the encoding that words are given and taken in; valid while the dictionary is open.
const char *chunspell_encoding(chunspell_dictionary *dictionary);

/// 0 for a misspelt word.
int chunspell_spell(chunspell_dictionary *dictionary, const char *word);

/// How many words are in the list, which is freed by chunspell_free.
int chunspell_suggest(chunspell_dictionary *dictionary, char ***list, const char *word);
void chunspell_free(chunspell_dictionary *dictionary, char ***list, int count);

#endif
