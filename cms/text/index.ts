export { createTranslations, type PageTexts, type TextsFor } from './translations.ts'
