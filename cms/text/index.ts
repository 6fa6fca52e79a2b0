export { createTranslations } from './translations.ts'
