/** `2,121` */
export const formatCount = (value: number): string => value.toLocaleString('en')

/** `3 bytes`, `1.4 MB`: decimal units, as in file managers. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  const power = Math.min(4, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1000 ** power).toFixed(1)} ${['', 'kB', 'MB', 'GB', 'TB'][power]}`
}
