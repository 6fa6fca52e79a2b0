/**
 * Decodes a file: by its byte order mark, as UTF-16 if every other byte is zero, as UTF-8 if it is valid, otherwise as
 * Windows-1252, which Western spreadsheets still write.
 */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const beginning = bytes.subarray(0, 200)
  if (mostlyZero(beginning, 1)) return new TextDecoder('utf-16le').decode(bytes)
  if (mostlyZero(beginning, 0)) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Whether more than half of every second byte is zero. */
function mostlyZero(bytes: Uint8Array, from: 0 | 1): boolean {
  const every = bytes.filter((_, at) => at % 2 === from)
  return every.length > 1 && every.filter((octet) => octet === 0).length > every.length / 2
}
