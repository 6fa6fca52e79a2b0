import type { Hooks } from 'pentad'
import '../hooks.ts'

/** Font services whose terms allow self-hosting and whose style sheets contain only `@font-face`. */
const FONT_HOSTS = ['fonts.googleapis.com', 'fonts.bunny.net', 'api.fontshare.com', 'rsms.me']

/** Whether a URL is a style sheet of a font service. */
export function createIsFontSheet(hooks: Hooks): (url: URL) => boolean {
  return (url) => hooks.applyFilters('speed_font_hosts', FONT_HOSTS).includes(url.host)
}
