/** Whether a text can be looked up as a name: PostgreSQL rejects NUL, and names have no control characters. */
export function isPlainText(text: string): boolean {
  return !/\p{Cc}/u.test(text)
}

/** Converts a text to a single line of valid Unicode: runs of control characters and white space become one space. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}

/** Text of several lines without NUL, which PostgreSQL rejects. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '')
}
