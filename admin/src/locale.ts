import { setLocaleData } from './i18n.ts'
import { pageData } from './page-data.ts'

/** Before anything else is imported: titles of screens are translated while their modules run. */
if (pageData.locale.messages) setLocaleData(pageData.locale.messages, 'pentad')
document.documentElement.lang = pageData.locale.language
document.documentElement.dir = pageData.locale.direction
