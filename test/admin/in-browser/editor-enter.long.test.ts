import { expect } from 'chai'
import { launchChromium } from '../../speed/chromium.ts'
import { launchFirefox } from '../../support/firefox.ts'
import { type EditorPage, openEditorPage } from '../editor-page.ts'

const paragraph = (text: string) => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`
const block = (name: string, html: string) => `<!-- wp:${name} -->\n${html}\n<!-- /wp:${name} -->`
const quote = (html: string) => block('quote', `<blockquote class="wp-block-quote">${html}</blockquote>`)
const pullquote = (text: string) =>
  block(
    'pullquote',
    `<figure class="wp-block-pullquote"><blockquote><p>${text}</p><cite>Zoe</cite></blockquote></figure>`,
  )
const image = (caption: string) =>
  block('image', `<figure class="wp-block-image"><img src="/a.jpg" alt=""/>${caption}</figure>`)
const caption = (text: string) => `<figcaption class="wp-element-caption">${text}</figcaption>`
const table = (cell: string) =>
  block(
    'table',
    `<figure class="wp-block-table"><table><tbody><tr><td>${cell}</td><td>2</td></tr></tbody></table></figure>`,
  )
const buttons = (...labels: readonly string[]) => {
  const button = (label: string) =>
    block(
      'button',
      `<div class="wp-block-button"><a class="wp-block-button__link wp-element-button">${label}</a></div>`,
    )
  return block('buttons', `<div class="wp-block-buttons">${labels.map(button).join('\n\n')}</div>`)
}
const details = (html: string) =>
  block('details', `<details class="wp-block-details"><summary>More</summary>${html}</details>`)
const group = (html: string) => block('group', `<div class="wp-block-group">${html}</div>`)
const file = block(
  'file',
  '<div class="wp-block-file"><a href="/a.pdf">Report</a><a href="/a.pdf" class="wp-block-file__button wp-element-button" download>Download</a></div>',
)

const AFTER = [paragraph('new'), paragraph(''), paragraph('end')]

/** Where the cursor is, and what is stored after `Enter`, "new", `Enter`, `Enter`, and "end". */
const CASES: readonly (readonly [where: string, source: string, cursor: string, stored: readonly string[]])[] = [
  [
    'a quote',
    quote(paragraph('Said')),
    'Said',
    [quote([paragraph('Said'), paragraph('new')].join('\n\n')), paragraph('end')],
  ],
  [
    'a quote with a citation',
    quote(`${paragraph('Said')}<cite>Zoe</cite>`),
    'Said',
    [quote(`${paragraph('Said')}\n\n${paragraph('new')}<cite>Zoe</cite>`), paragraph('end')],
  ],
  [
    'a citation',
    quote(`${paragraph('Said')}<cite>Zoe</cite>`),
    'Zoe',
    [quote(`${paragraph('Said')}<cite>Zoe</cite>`), ...AFTER],
  ],
  ['a pull quote', pullquote('Said'), 'Said', [pullquote('Said<br>new<br><br>end')]],
  ['the citation of a pull quote', pullquote('Said'), 'Zoe', [pullquote('Said'), ...AFTER]],
  ['a caption', image(caption('Boat')), 'Boat', [image(caption('Boat')), ...AFTER]],
  ['a file', file, 'Report', [file, ...AFTER]],
  ['a table cell', table('1'), '1', [table('1<br>new<br><br>end')]],
  ['a button', buttons('Buy'), 'Buy', [buttons('Buy', 'new'), paragraph('end')]],
  [
    'hidden text',
    details(paragraph('Text')),
    'Text',
    [details([paragraph('Text'), paragraph('new')].join('\n\n')), paragraph('end')],
  ],
  [
    'a group',
    group(paragraph('Text')),
    'Text',
    [group([paragraph('Text'), paragraph('new')].join('\n\n')), paragraph('end')],
  ],
]

for (const [name, launch] of [
  ['Chromium', launchChromium],
  ['Firefox', () => launchFirefox('light')],
] as const) {
  describe(`The Enter key in the editor, in ${name}`, () => {
    let editor: EditorPage

    before(async () => {
      editor = await openEditorPage(launch)
    })
    after(() => editor.close())

    /** Opens content with the cursor behind a text, and types. */
    async function type(content: string, cursor: string, ...keys: readonly string[]): Promise<string> {
      const { page } = editor
      await page.evaluate(`(() => {
      open(${JSON.stringify(content)})
      editor.state.doc.descendants((node, pos) => {
        if (node.isText && node.text === ${JSON.stringify(cursor)}) editor.commands.setTextSelection(pos + node.nodeSize)
      })
      editor.view.focus()
    })()`)
      for (const key of keys) await (/^[A-Z]/.test(key) ? page.keyboard.press(key) : page.keyboard.type(key))
      return page.evaluate<string>('stored()')
    }

    for (const [where, source, cursor, stored] of CASES) {
      it(`does in ${where} what it does in WordPress`, async () => {
        const written = await type(
          [source, paragraph('After')].join('\n\n'),
          cursor,
          'Enter',
          'new',
          'Enter',
          'Enter',
          'end',
        )
        expect(written).to.equal([...stored, paragraph('After')].join('\n\n'))
      })
    }

    it('makes a paragraph of an empty quote and of an empty button', async () => {
      for (const empty of [quote(paragraph('a')), buttons('a')]) {
        expect(await type([paragraph('Before'), empty].join('\n\n'), 'a', 'Backspace', 'Enter', 'end')).to.equal(
          [paragraph('Before'), paragraph('end')].join('\n\n'),
        )
      }
    })

    it('goes on in the empty paragraph that follows', async () => {
      const content = [image(caption('Boat')), paragraph('')].join('\n\n')
      expect(await type(content, 'Boat', 'Enter', 'end')).to.equal(
        [image(caption('Boat')), paragraph('end')].join('\n\n'),
      )
    })
  })
}
