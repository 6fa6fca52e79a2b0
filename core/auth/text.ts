/** Whether text can be a name to look up: PostgreSQL rejects NUL, and no name has control characters. */
export function isPlainText(text: string): boolean {
  return !/\p{Cc}/u.test(text)
}

/** One line of text as a person meant it: control characters become spaces, runs of spaces one. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim()
}

/** Text of several lines without NUL, which PostgreSQL rejects. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '')
}
