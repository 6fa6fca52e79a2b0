import { setLocaleData } from './i18n.ts'
import { pageData } from './page-data.ts'

/** Must run before any other import: modules of screens translate their titles when they are evaluated. */
if (pageData.locale.messages) setLocaleData(pageData.locale.messages, 'pentad')
document.documentElement.lang = pageData.locale.language
document.documentElement.dir = pageData.locale.direction
