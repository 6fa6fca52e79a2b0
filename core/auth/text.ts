/** The largest id of PostgreSQL's `integer`; asking for a larger one would be an error there. */
const MAX_ID = 2_147_483_647

/** Whether a number can be the id of a row. */
export function isRowId(id: number): boolean {
  return Number.isInteger(id) && id > 0 && id <= MAX_ID
}

/** Whether text can be a name to look up: PostgreSQL refuses NUL, and no name of ours has control characters. */
export function isPlainText(text: string): boolean {
  return !/\p{Cc}/u.test(text)
}

/** One line of text as a person meant it: control characters become spaces, runs of spaces one. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, ' ').trim()
}

/** Text of several lines without NUL, which PostgreSQL refuses. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '')
}
