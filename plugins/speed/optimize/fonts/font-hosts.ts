import type { Hooks } from 'pentad'
import '../hooks.ts'

/** Services whose terms allow copies, and whose style sheets hold nothing but `@font-face`. */
const FONT_HOSTS = ['fonts.googleapis.com', 'fonts.bunny.net', 'api.fontshare.com', 'rsms.me']

/** Whether an address is a style sheet of a font service. */
export function createIsFontSheet(hooks: Hooks): (url: URL) => boolean {
  return (url) => hooks.applyFilters('speed_font_hosts', FONT_HOSTS).includes(url.host)
}
