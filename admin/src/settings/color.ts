/** Whether a field has text that is not a color such as `#225588`. */
export const isIncomplete = (text: string) => text !== '' && !/^#[0-9a-f]{6}$/i.test(text)

/** `258`, `#258`, and `225588` → `#225588`; any other text unchanged. */
export function completeColor(text: string): string {
  const digits = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim())?.[1]?.toLowerCase()
  if (digits === undefined) return text
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`
}
