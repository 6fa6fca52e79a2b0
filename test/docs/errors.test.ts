import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { collectErrors, errorCatalog } from '../../docs/error-catalog.ts'
import { collectHooks } from '../../docs/hook-reference.ts'
import { temporaryFolder } from '../support/site-folder.ts'

const root = join(import.meta.dirname, '../..')

/** The codes that a plain search finds in core, whichever function they are passed to. */
function codesInCore(): Set<string> {
  const codes = new Set<string>()
  for (const file of globSync(['core/**/*.ts', 'cms/**/*.ts'], { cwd: root })) {
    const text = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    for (const [, code = ''] of text.matchAll(/'(rest_[a-z_]+)'/g)) codes.add(code)
    for (const [, code = ''] of text.matchAll(/\bRestError\(\s*'(\w+)'/g)) codes.add(code)
    for (const [, code = ''] of text.matchAll(/\b(?:refused?|notFound|badRequest|invalid\w*)\(\s*'([a-z]+_\w+)'/g))
      codes.add(code)
  }
  const hooks = collectHooks(root).map(({ name }) => new RegExp(`^${name.replaceAll('{…}', '\\w+')}$`))
  for (const code of codes) if (hooks.some((name) => name.test(code))) codes.delete(code)
  // The parameter of WordPress's plain addresses: `/?rest_route=/wp/v2/posts`.
  codes.delete('rest_route')
  return codes
}

describe('The error catalog', () => {
  const errors = collectErrors(root)
  const row = (code: string) => errors.filter((error) => error.code === code)

  it('has every code that core can answer', () => {
    const documented = new Set(errors.map(({ code }) => code))
    const inCore = codesInCore()
    expect(inCore.size).to.be.greaterThan(70)
    expect([...inCore].filter((code) => !documented.has(code))).to.deep.equal([])
  })

  it('follows helpers to those who say the code, with the helper’s status', () => {
    expect(row('rest_post_invalid_page_number')).to.deep.equal([
      {
        code: 'rest_post_invalid_page_number',
        status: '400',
        messages: ['The page number requested is larger than the number of pages available.'],
        files: ['cms/content/routes/posts/index.ts'],
      },
    ])
    expect(row('rest_user_cannot_view').map(({ status }) => status)).to.deep.equal(['401 or 403'])
    expect(row('rest_cannot_read_application_password')[0]?.messages).to.deep.equal([
      'Sorry, you are not allowed to read this application password.',
    ])
    expect(row('extension_not_found')[0]?.messages).to.have.members([
      'No extension has that ID.',
      'No extension has that ID. …',
      'No extension with that ID has settings.',
    ])
    expect(row('rest_too_short')[0]).to.deep.include({ status: 'in details' })
  })

  it('finds what a made-up part answers, however it is written', () => {
    const folder = temporaryFolder()
    writeFileSync(
      join(folder, 'part.ts'),
      `
      const LIMIT = 5
      const refuse = (code: string, message: string, status = 410) => new RestError(code, message, { status })
      const may = (code: string, what: string) => () => { throw refuse(code, \`You may not \${what}.\`, 403) }
      export const access = may('may_not_paint', 'paint the door')
      export function go(name: string) {
        if (name) throw refuse('is_gone', name === 'a' ? 'It is gone.' : \`No \${name}.\`)
        const message = \`At most \${LIMIT} for \${name}.\`
        throw new RestError('too_much', message, { status: name ? 400 : 413 })
      }
      export const schema = text.refine(go, { error: 'Not this.', params: { code: 'not_this' } })
      export const tell = (message: string) => { throw new RestError('says_nothing', message, { status: 400 }) }
      `,
    )
    const found = collectErrors(folder, ['.'])
    expect(found.map(({ code, status, messages }) => [code, status, messages])).to.deep.equal([
      ['is_gone', '410', ['It is gone.', 'No ….']],
      ['may_not_paint', '403', ['You may not paint the door.']],
      ['not_this', 'in details', ['Not this.']],
      ['says_nothing', '400', []],
      ['too_much', '400 or 413', ['At most 5 for ….']],
    ])
    expect(() => errorCatalog(found)).to.throw('says_nothing (part.ts)')
  })
})
