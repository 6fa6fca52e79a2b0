import type { Hooks } from 'pentad'
import type { PageWork } from '../transform.ts'
import '../hooks.ts'

/** Font services whose terms allow self-hosting and whose style sheets contain only `@font-face`. */
const FONT_HOSTS = ['fonts.googleapis.com', 'fonts.bunny.net', 'api.fontshare.com', 'rsms.me']

/** Whether a URL is a style sheet of a font service. @param work of the page that is being optimized, if there is one */
export type IsFontSheet = (url: URL, work?: PageWork) => boolean

export function createIsFontSheet(hooks: Hooks): IsFontSheet {
  const hosts = () => hooks.applyFilters('speed_font_hosts', FONT_HOSTS)
  return (url, work) => (work?.read('speed_font_hosts', hosts) ?? hosts()).includes(url.host)
}
