import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { po } from 'gettext-parser'
import { parsePo, poFiles, readPo, writePot } from '../../cms/text/po.ts'

const ADMIN = join(import.meta.dirname, '../../admin/languages/admin-de.po')

describe('PO files', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pentad-po-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('are read like gettext-parser reads them', async () => {
    const { translations } = po.parse(await readFile(ADMIN))
    const expected = Object.values(translations).flatMap((entries) =>
      Object.values(entries)
        .filter(({ msgid }) => msgid !== '')
        .map(({ msgctxt, msgid, msgstr }) => [msgctxt ? `${msgctxt}\u0004${msgid}` : msgid, msgstr]),
    )
    ok(expected.length > 1_000)
    const { '': header, ...messages } = readPo(ADMIN, 'pentad')
    deepEqual(messages, Object.fromEntries(expected))
    deepEqual(header, { domain: 'pentad', lang: 'de', plural_forms: 'nplurals=2; plural=(n != 1);' })
  })

  it('have escapes, texts over several lines, obsolete and fuzzy messages, and other character sets', async () => {
    const source = [
      'msgid ""\nmsgstr "Content-Type: text/plain; charset=ISO-8859-1\\n"',
      '"Content-Type: text/plain; charset=ISO-8859-1\\n"',
      'msgid ""\n"a \\"b\\"\\n"\n"c\\\\"\nmsgstr "ä"',
      '#~ msgid "old"\n#~ msgstr "alt"',
      '#, fuzzy\nmsgctxt "one"\nmsgid "two"\nmsgstr "zwei"',
      'msgctxt "one"\nmsgid "three"\nmsgstr "drei"',
      'msgid "four"\nmsgstr ""',
    ].join('\n\n')
    const path = join(folder, 'latin.po')
    await writeFile(path, source, 'latin1')
    const { '': _, ...messages } = readPo(path, 'x')
    deepEqual(messages, { 'a "b"\nc\\': ['ä'], 'one\u0004three': ['drei'] })
  })

  it('that are invalid, too large, or folders are errors', async () => {
    throws(() => parsePo('msgid "a"\nmsgstr "b"\n<?php', 'x'), /Line 3 is not valid in a PO file/)
    throws(() => parsePo('msgid "a', 'x'), /Line 1/)
    throws(() => readPo(folder, 'x'), /not a regular file/)
    const large = join(folder, 'large.po')
    await writeFile(large, '# \n'.repeat(1_000_000))
    throws(() => readPo(large, 'x'), /the maximum is 1048576/)
  })

  it('change no prototype', () => {
    const messages = parsePo('msgctxt "__proto__"\nmsgid "x"\nmsgstr "y"\nmsgid "__proto__"\nmsgstr "polluted"', 'x')
    equal(Object.getPrototypeOf(messages), null)
    equal(Reflect.get({}, 'x'), undefined)
    deepEqual(Object.entries(messages).at(1), ['__proto__', ['polluted']])
  })

  it('are found by language, the most specific one first', () => {
    deepEqual(poFiles('a', 'de_AT'), ['a-de_AT.po', 'a-de.po'])
    deepEqual(poFiles('a', 'pt-BR'), ['a-pt_BR.po', 'a-pt.po'])
    deepEqual(poFiles('a', '../../x'), [])
  })

  it('are written as templates that gettext-parser reads', () => {
    const pot = writePot('polls', [
      { text: 'b "quoted"\n', files: ['index.ts', 'lib/a.ts'] },
      { text: 'a', plural: 'as', context: 'verb', files: ['index.ts'] },
    ])
    const { headers, translations } = po.parse(pot)
    equal(headers['Project-Id-Version'], 'polls')
    deepEqual(translations.verb?.a, {
      ...{ msgid: 'a', msgid_plural: 'as', msgctxt: 'verb', msgstr: ['', ''] },
      comments: { reference: 'index.ts' },
    })
    equal(translations['']?.['b "quoted"\n']?.comments?.reference, 'index.ts\nlib/a.ts')
  })
})
