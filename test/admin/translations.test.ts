import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type GetTextTranslation, po } from 'gettext-parser'
import { makeTemplate } from '../../admin/make-pot.ts'
import { PLACEHOLDERS } from './pseudo-locale.ts'

const GERMAN = join(import.meta.dirname, '../../admin/languages/admin-de.po')

describe('The German translation of the admin', () => {
  const source = readFileSync(GERMAN, 'utf8')
  const german = po.parse(source).translations
  const entriesOf = (translations: typeof german) =>
    Object.entries(translations).flatMap(([context, entries]) =>
      Object.values(entries)
        .filter(({ msgid }) => msgid !== '')
        .map((entry) => ({ key: `${context}\u0004${entry.msgid}\u0004${entry.msgid_plural ?? ''}`, entry })),
    )
  const translated = new Map(entriesOf(german).map(({ key, entry }) => [key, entry]))
  let messages: ReadonlyMap<string, GetTextTranslation>
  before(async () => {
    messages = new Map(entriesOf((await makeTemplate()).translations).map(({ key, entry }) => [key, entry]))
  })

  it('translates every message, in each plural form', () => {
    const isComplete = (key: string, { msgstr: forms }: GetTextTranslation) => {
      const texts = translated.get(key)?.msgstr ?? []
      return texts.length === forms.length && texts.every((text) => text.trim() !== '')
    }
    const missing = [...messages].flatMap(([key, entry]) => (isComplete(key, entry) ? [] : [entry.msgid]))
    expect(missing).to.deep.equal([])
    expect(messages.size).to.be.greaterThan(1000)
    expect([...messages.values()].map(({ msgid }) => msgid)).to.include.members(['SMTP server', 'Report only'])
  })

  it('has no fuzzy message, and none that the admin no longer uses', () => {
    expect(source).not.to.match(/^#(,.*fuzzy|~)/m)
    expect([...translated.keys()].filter((key) => !messages.has(key))).to.deep.equal([])
  })

  it('keeps the placeholders of each message', () => {
    const placeholders = (text: string) => (text.match(PLACEHOLDERS) ?? []).sort().join(' ')
    for (const { msgid, msgid_plural: plural = msgid, msgstr } of translated.values()) {
      expect(msgstr.map(placeholders), msgid).to.deep.equal([msgid, plural].slice(0, msgstr.length).map(placeholders))
    }
  })

  it('has German quotation marks and addresses the reader formally', () => {
    const texts = [...translated.values()].flatMap(({ msgstr }) => msgstr)
    expect(texts.filter((text) => /["”]|“(?=\p{L})|\b(?:du|dich|dir|dein\w*)\b/iu.test(text))).to.deep.equal([])
  })
})
