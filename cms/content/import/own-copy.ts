/** Copies a substring for long-term storage: V8 represents it as a slice, which would retain the entire text or export. */
export function ownCopy(text: string): string {
  return structuredClone(text)
}
