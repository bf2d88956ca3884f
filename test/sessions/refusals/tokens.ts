/**
 * About how many tokens a text is: runs of up to seven letters, of up to three digits, of up to three other marks, line
 * ends, tabs and indentation count one each. Nearer to what tokenizers count of code and hex digits than characters by
 * four.
 */
export function tokens(text: string): number {
  return text.match(/[A-Za-z]{1,7}|\d{1,3}|[^\sA-Za-z\d]{1,3}|\n|\t| {2,}/g)?.length ?? 0;
}
