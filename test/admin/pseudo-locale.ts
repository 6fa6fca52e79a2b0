/**
 * A translation for tests, made from the template: Arabic letters in brackets, so that the admin turns from right to left, and a
 * text without brackets is one that nobody translated.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type GetTextTranslation, po } from 'gettext-parser'
import { makeTemplate } from '../../admin/make-pot.ts'

/** Arabic has its own rules for plurals; these texts have one form for all. */
const HEADERS = {
  Language: 'ar',
  'Content-Type': 'text/plain; charset=UTF-8',
  'Plural-Forms': 'nplurals=1; plural=0;',
}
const LETTERS = 'ابتثجحخدذرزسشصضطظعغفقكلمنه'
/** What `sprintf` replaces, in the order in which it is given up: `%%`, `%1$s`, `%s`, `%d`. */
export const PLACEHOLDERS = /%%|%(?:\d+\$)?[sd]/g
/** Innermost brackets: a text can be a value in another one. */
const BRACKETS = /⟦[^⟦⟧]*⟧/g

export function pseudoText(text: string): string {
  let end = 0
  let pseudo = ''
  for (const { 0: placeholder, index } of text.matchAll(PLACEHOLDERS)) {
    pseudo += toArabic(text.slice(end, index)) + placeholder
    end = index + placeholder.length
  }
  return `⟦${pseudo}${toArabic(text.slice(end))}⟧`
}

const toArabic = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => LETTERS[letter.toLowerCase().charCodeAt(0) - 97] ?? letter)

/** Puts the translation into the folder of a site, for the language `ar`. */
export async function addPseudoLocale(siteDir: string): Promise<void> {
  const pseudo = (entry: GetTextTranslation): GetTextTranslation => ({
    ...entry,
    msgstr: [pseudoText(entry.msgid_plural ?? entry.msgid)],
  })
  const translations = Object.fromEntries(
    Object.entries((await makeTemplate()).translations).map(([context, entries]) => [
      context,
      Object.fromEntries(Object.entries(entries).map(([text, entry]) => [text, pseudo(entry)])),
    ]),
  )
  const folder = join(siteDir, 'languages')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'admin-ar.po'), po.compile({ charset: 'utf-8', headers: HEADERS, translations }))
}

/** What is left of a text without what was translated. */
export function withoutTranslated(text: string): string {
  const left = text.replace(BRACKETS, '')
  return left === text ? left : withoutTranslated(left)
}
