// The name of a call: a NAME that a parenthesis follows on the same line. A regular expression cannot say this without
// the parenthesis being part of the token.

#include "tree_sitter/parser.h"

enum TokenType { CALLEE };

void *tree_sitter_gg_external_scanner_create(void) { return NULL; }
void tree_sitter_gg_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_gg_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}
void tree_sitter_gg_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}

static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

static bool is_letter(int32_t c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }

static bool is_wide_blank(int32_t c) {
  return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 ||
         c == 0x202f || c == 0x205f || c == 0x3000 || c == 0xfeff;
}

bool tree_sitter_gg_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid_symbols) {
  (void)payload;
  if (!valid_symbols[CALLEE]) return false;
  while ((lexer->lookahead >= '\t' && lexer->lookahead <= '\r') || lexer->lookahead == ' ' ||
         is_wide_blank(lexer->lookahead)) {
    lexer->advance(lexer, true);
  }

  // Digits, and digits around one letter e, are a number.
  enum { START, DIGITS, EXPONENT, EXPONENT_DIGITS, NAME } state = START;
  for (;; lexer->advance(lexer, false)) {
    int32_t c = lexer->lookahead;
    if (is_digit(c)) {
      if (state == START) state = DIGITS;
      else if (state == EXPONENT) state = EXPONENT_DIGITS;
    } else if (is_letter(c)) {
      state = state == DIGITS && (c == 'e' || c == 'E') ? EXPONENT : NAME;
    } else {
      break;
    }
  }
  // 1e is a name.
  if (state != NAME && state != EXPONENT) return false;
  lexer->mark_end(lexer);

  while (lexer->lookahead == '\t' || lexer->lookahead == '\v' || lexer->lookahead == '\f' ||
         lexer->lookahead == ' ' || is_wide_blank(lexer->lookahead)) {
    lexer->advance(lexer, false);
  }
  lexer->result_symbol = CALLEE;
  return lexer->lookahead == '(';
}
