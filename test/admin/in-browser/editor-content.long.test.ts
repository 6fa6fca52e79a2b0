import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { launchChromium } from '../../speed/chromium.ts'
import { launchFirefox } from '../../support/firefox.ts'
import { type EditorPage, openEditorPage } from '../editor-page.ts'

const FIXTURES = new URL('../../fixtures/', import.meta.url)

/** The content of the posts of a WordPress export. */
async function exportedPosts(): Promise<string[]> {
  const xml = await readFile(new URL('wordpress-export.xml', FIXTURES), 'utf8')
  const found = xml.matchAll(/<content:encoded><!\[CDATA\[(.*?)\]\]><\/content:encoded>/gs)
  return [...found].map(([, content = '']) => content).filter((content) => content !== '')
}

/** Posts that use many of WordPress's blocks. */
async function postsOfBlocks(): Promise<string[]> {
  const names = ['post', 'page', 'archive', 'pattern']
  return Promise.all(names.map((name) => readFile(new URL(`blocks/${name}.html`, FIXTURES), 'utf8')))
}

const CLASSIC = [
  'A line\nand another.\n\n\nNext\t paragraph with <em>emphasis</em>.\n',
  '<h2>Title</h2>\nText &amp; more\n<ul>\n<li>One</li>\n<li>Two</li>\n</ul>\nAfter the list',
  'Before\n<!--more-->\n\n<blockquote>Quoted\n\ntwice</blockquote>\n\n[gallery ids="1,2"]\n\n<div class="x">\n\nText\n\n</div>',
  '<p style="text-align: center;">Centered</p>\r\n\r\n<pre>one\n\ntwo</pre>\r\n<iframe src="https://video.example/1"></iframe>\r\n\r\nEnd',
  "<p>Not closed<p>Nor this one<table><tr><td>1</td></tr></table><img src='/a.png' alt='a > b'>",
  '<script>if (1 < 2) document.write("<p>x</p>")</script>\n\n<!-- a comment -->\n\nText <!-- within --> text',
]

/** Blocks as WordPress's editor writes them, by node type; where `|` is, something is typed. */
const BLOCKS: readonly (readonly [kind: string, source: string])[] = [
  [
    'gallery',
    '<!-- wp:gallery {"linkTo":"none"} -->\n<figure class="wp-block-gallery has-nested-images columns-default is-cropped"><!-- wp:image {"id":4,"sizeSlug":"large","linkDestination":"none"} -->\n<figure class="wp-block-image size-large"><img src="/a.jpg" alt="A" class="wp-image-4"/><figcaption class="wp-element-caption">|One</figcaption></figure>\n<!-- /wp:image -->\n\n<!-- wp:image {"id":5} -->\n<figure class="wp-block-image"><img src="/b.jpg" alt="" class="wp-image-5"/></figure>\n<!-- /wp:image --><figcaption class="blocks-gallery-caption wp-element-caption">Both</figcaption></figure>\n<!-- /wp:gallery -->',
  ],
  [
    'buttons',
    '<!-- wp:buttons {"layout":{"type":"flex","justifyContent":"center"}} -->\n<div class="wp-block-buttons"><!-- wp:button {"width":50} -->\n<div class="wp-block-button has-custom-width wp-block-button__width-50"><a class="wp-block-button__link wp-element-button" href="/shop">|Shop</a></div>\n<!-- /wp:button -->\n\n<!-- wp:button -->\n<div class="wp-block-button"><a class="wp-block-button__link wp-element-button">None</a></div>\n<!-- /wp:button --></div>\n<!-- /wp:buttons -->',
  ],
  [
    'columns',
    '<!-- wp:columns {"verticalAlignment":"center"} -->\n<div class="wp-block-columns are-vertically-aligned-center"><!-- wp:column {"width":"66.66%"} -->\n<div class="wp-block-column" style="flex-basis:66.66%"><!-- wp:paragraph -->\n<p>|Left</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:list -->\n<ul class="wp-block-list"><!-- wp:list-item -->\n<li>One<!-- wp:list -->\n<ul class="wp-block-list"><!-- wp:list-item -->\n<li>Inner</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list --></li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list --></div>\n<!-- /wp:column -->\n\n<!-- wp:column {"width":"33.33%"} -->\n<div class="wp-block-column" style="flex-basis:33.33%"><!-- wp:heading {"level":3} -->\n<h3 class="wp-block-heading">Right</h3>\n<!-- /wp:heading --></div>\n<!-- /wp:column --></div>\n<!-- /wp:columns -->',
  ],
  [
    'details',
    '<!-- wp:details {"showContent":true} -->\n<details class="wp-block-details" open><summary>|More</summary><!-- wp:paragraph {"placeholder":"Type / to add a hidden block"} -->\n<p>Hidden</p>\n<!-- /wp:paragraph --></details>\n<!-- /wp:details -->',
  ],
  [
    'pullquote',
    '<!-- wp:pullquote {"align":"wide"} -->\n<figure class="wp-block-pullquote alignwide"><blockquote><p>|Said</p><cite>Someone</cite></blockquote></figure>\n<!-- /wp:pullquote -->',
  ],
  [
    'blockquote',
    '<!-- wp:quote -->\n<blockquote class="wp-block-quote"><!-- wp:paragraph -->\n<p>|Said</p>\n<!-- /wp:paragraph --><cite>Someone</cite></blockquote>\n<!-- /wp:quote -->',
  ],
  [
    'embed',
    '<!-- wp:embed {"url":"https://www.youtube.com/watch?v=1\\u0026t=2","type":"video","providerNameSlug":"youtube","responsive":true,"className":"wp-embed-aspect-16-9 wp-has-aspect-ratio"} -->\n<figure class="wp-block-embed is-type-video is-provider-youtube wp-block-embed-youtube wp-embed-aspect-16-9 wp-has-aspect-ratio"><div class="wp-block-embed__wrapper">\nhttps://www.youtube.com/watch?v=1&amp;t=2\n</div><figcaption class="wp-element-caption">|Film</figcaption></figure>\n<!-- /wp:embed -->',
  ],
  [
    'audio',
    '<!-- wp:audio {"id":7} -->\n<figure class="wp-block-audio"><audio controls src="/a.mp3"></audio><figcaption class="wp-element-caption">|Song</figcaption></figure>\n<!-- /wp:audio -->',
  ],
  [
    'video',
    '<!-- wp:video {"id":8} -->\n<figure class="wp-block-video"><video controls loop muted src="/a.mp4"></video><figcaption class="wp-element-caption">|Film</figcaption></figure>\n<!-- /wp:video -->',
  ],
  [
    'file',
    '<!-- wp:file {"id":9,"href":"/a.pdf"} -->\n<div class="wp-block-file"><a id="wp-block-file--media-1" href="/a.pdf">|Report</a><a href="/a.pdf" class="wp-block-file__button wp-element-button" download aria-describedby="wp-block-file--media-1">Download</a></div>\n<!-- /wp:file -->',
  ],
  [
    'cover',
    '<!-- wp:cover {"url":"/a.jpg","id":8,"dimRatio":50} -->\n<div class="wp-block-cover"><img class="wp-block-cover__image-background wp-image-8" alt="" src="/a.jpg" data-object-fit="cover"/><span aria-hidden="true" class="wp-block-cover__background has-background-dim"></span><div class="wp-block-cover__inner-container"><!-- wp:paragraph {"align":"center","fontSize":"large"} -->\n<p class="has-text-align-center has-large-font-size">|Title</p>\n<!-- /wp:paragraph --></div></div>\n<!-- /wp:cover -->',
  ],
  [
    'tableFigure',
    '<!-- wp:table {"hasFixedLayout":true} -->\n<figure class="wp-block-table"><table class="has-fixed-layout"><thead><tr><th>|Year</th><th class="has-text-align-right" data-align="right">Sales</th></tr></thead><tbody><tr><td>2026</td><td class="has-text-align-right" data-align="right">1</td></tr></tbody></table><figcaption class="wp-element-caption">Sales</figcaption></figure>\n<!-- /wp:table -->',
  ],
  [
    'figure',
    '<!-- wp:image {"id":4,"sizeSlug":"large","linkDestination":"custom","align":"right"} -->\n<figure class="wp-block-image alignright size-large"><a href="/page"><img src="/a.jpg" alt="A" class="wp-image-4"/></a><figcaption class="wp-element-caption">|A map</figcaption></figure>\n<!-- /wp:image -->',
  ],
  [
    'blockGroup',
    '<!-- wp:group {"layout":{"type":"constrained"}} -->\n<div class="wp-block-group"><!-- wp:paragraph -->\n<p>|Text</p>\n<!-- /wp:paragraph --></div>\n<!-- /wp:group -->',
  ],
  [
    'codeBlock',
    '<!-- wp:code -->\n<pre class="wp-block-code"><code>|let a = 1\n\nb &lt; 2</code></pre>\n<!-- /wp:code -->',
  ],
]

interface Edit {
  readonly content: string
  /** The stored form after typing into that block, and what it must begin and end with. */
  readonly stored: string
  readonly before: string
  readonly after: string
}

for (const [name, launch] of [
  ['Chromium', launchChromium],
  ['Firefox', () => launchFirefox('light')],
] as const) {
  describe(`Content in the visual editor, in ${name}`, () => {
    let editor: EditorPage
    let posts: string[]

    before(async () => {
      editor = await openEditorPage(launch)
      posts = [...(await exportedPosts()), ...(await postsOfBlocks()), ...CLASSIC]
    })
    after(() => editor.close())

    const run = async <T>(code: string): Promise<T> => editor.page.evaluate<T>(`(() => { ${code} })()`)

    /** Types into blocks of each content, one at a time. @param step each block, or only each second one and so on */
    const edits = (contents: readonly string[], step = 1) =>
      run<Edit[]>(`
      const edits = []
      for (const content of ${JSON.stringify(contents)}) {
        const { segments, end } = segmentsOf(content)
        const text = (parts) => parts.map(({ gap, source }) => gap + source).join('')
        for (let index = 0; index < segments.length; index += ${step}) {
          open(content)
          if (!typeInto(index, 'typed ')) continue
          const before = text(segments.slice(0, index)) + segments[index].gap
          edits.push({ content, stored: stored(), before, after: text(segments.slice(index + 1)) + end })
        }
      }
      return edits`)

    function expectOnlyThat({ content, stored, before, after }: Edit): void {
      expect(content.startsWith(before) && content.endsWith(after)).to.equal(true)
      expect(stored.slice(0, before.length)).to.equal(before)
      expect(stored.slice(stored.length - after.length)).to.equal(after)
      expect(stored.slice(before.length, stored.length - after.length)).to.include('typed ')
    }

    it('is the same byte by byte if a block is added and removed', async () => {
      expect(posts).to.have.length.above(60)
      const different = await run<string[]>(`
      return ${JSON.stringify(posts)}.filter((content) => {
        open(content)
        const { state, view } = editor
        view.dispatch(state.tr.insert(state.doc.content.size, state.schema.node('paragraph', null, state.schema.text('more'))))
        const isLonger = stored().length > content.length
        view.dispatch(editor.state.tr.delete(state.doc.content.size, editor.state.doc.content.size))
        return !isLonger || stored() !== content
      })`)
      expect(different).to.deep.equal([])
    })

    it('changes only in the block that is edited', async () => {
      const made = await edits(posts, 3)
      expect(made).to.have.length.above(100)
      for (const edit of made) expectOnlyThat(edit)
    })

    it('changes only in the edited block of any mixture of blocks and gaps', async () => {
      let seed = Number(process.env.PENTAD_TEST_SEED ?? 7)
      const random = (below: number) => {
        seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
        return Math.floor((seed / 2_147_483_648) * below)
      }
      const sources = await run<string[]>(`
      const all = ${JSON.stringify(posts.filter((post) => post.includes('<!-- wp:')))}
      return [...new Set(all.flatMap((content) => segmentsOf(content).segments.map(({ source }) => source)))]`)
      const gaps = ['', '\n', '\n\n', '\r\n\r\n', '\n\n\n', ' \n']
      const pick = (from: readonly string[]) => from[random(from.length)] ?? ''
      const mixtures = Array.from({ length: 60 }, () => {
        const blocks = Array.from({ length: 1 + random(8) }, () => `${pick(sources)}${pick(gaps)}`)
        return pick(gaps) + blocks.join('')
      })
      const made = await edits(mixtures, 2)
      expect(made).to.have.length.above(60)
      for (const edit of made) expectOnlyThat(edit)
    })

    for (const [kind, marked] of BLOCKS) {
      it(`edits ${kind} in the markup of WordPress`, async () => {
        const source = marked.replace('|', '')
        const edited = await run<{ kinds: string[]; isSame: boolean; stored: string }>(`
        open(${JSON.stringify(source)})
        const found = kinds()
        const isSame = stored() === ${JSON.stringify(source)}
        typeInto(0, 'typed ')
        return { kinds: found, isSame, stored: stored() }`)
        expect(edited.kinds).to.deep.equal([kind])
        expect(edited.isSame).to.equal(true)
        expect(edited.stored).to.equal(marked.replace('|', 'typed '))
      })
    }

    it('stores each block of the inserter so that it opens as the same block', async () => {
      const made = await run<{ id: string; kinds: string[]; again: string[]; stored: string; edited: string }[]>(`
      const file = (id, type, end) => ({
        id, source_url: '/' + id + end, alt_text: 'A & "b"', mime_type: type, title: { raw: 'File', rendered: 'File' },
        media_details: { sizes: { large: { source_url: '/' + id + '-large' + end } } },
      })
      const files = [file(4, 'image/jpeg', '.jpg'), file(5, 'image/png', '.png')]
      return insertableBlocks.filter(({ content }) => content !== 'url').map(({ id, content }) => {
        open('')
        insert(content.create ? content.create(files) : [content])
        const written = stored()
        const before = kinds()
        open(written)
        const again = kinds()
        const before2 = stored()
        typeInto(0, 'typed ')
        return { id, kinds: before, again, stored: before2 === written ? written : 'changed', edited: stored() }
      })`)
      expect(made.map(({ id }) => id)).to.include.members(['gallery', 'file', 'cover', 'table', 'separator'])
      for (const { id, kinds, again, stored, edited } of made) {
        // The empty paragraph to go on writing is not stored.
        expect(again.join(), id).to.equal(kinds.slice(0, again.length).join())
        if (id !== 'html') expect(again, id).not.to.include('htmlBlock')
        expect(stored, id).to.match(id === 'paragraph' ? /^$/ : /^<!-- wp:[\s\S]+ -->$/)
        if (stored.includes('<li>') || stored.includes('<p>')) expect(edited, id).to.include('typed ')
      }
    })

    it('escapes in code what would be a shortcode or an embed, and stores no language', async () => {
      const stored = await run<string>(`
      open('')
      editor.commands.setContent([
        { type: 'codeBlock', attrs: { language: 'js' }, content: [{ type: 'text', text: '[gallery]\\nhttps://example.org/a\\nsee https://example.org' }] },
      ])
      return stored()`)
      expect(stored).to.equal(
        '<!-- wp:code -->\n<pre class="wp-block-code"><code>&#91;gallery]\nhttps:&#47;&#47;example.org/a\nsee https://example.org</code></pre>\n<!-- /wp:code -->',
      )
    })

    it('keeps blocks that are moved, copied, or split off as they were', async () => {
      const [one, two, three] = ['<p>One</p>', '<p class="x">Two</p>', '<ul><li>Three</li></ul>']
      const moved = await run<string>(`
      open(${JSON.stringify(`${one}\n${two}\n\n\n${three}\n`)})
      const [first, second] = editor.state.doc.content.content
      editor.view.dispatch(editor.state.tr.delete(0, first.nodeSize).insert(second.nodeSize, first))
      return stored()`)
      expect(moved).to.equal(`${two}\n\n${one}\n\n${three}\n`)
      const split = await run<string>(`
      open(${JSON.stringify(`${one}\n${two}`)})
      editor.commands.setTextSelection(4)
      editor.commands.splitBlock()
      editor.commands.insertContent('new')
      return stored()`)
      expect(split).to.equal(`${one}\n\n<p>new</p>\n\n${two}`)
    })

    it('is written in the format of the block editor, except in posts that do not use it', async () => {
      const written = await run<string>(`
      open('')
      editor.commands.setContent('<p>Text</p><h3>Title</h3><ul><li>One</li></ul><hr>')
      return stored()`)
      expect(written).to.equal(
        [
          '<!-- wp:paragraph -->\n<p>Text</p>\n<!-- /wp:paragraph -->',
          '<!-- wp:heading {"level":3} -->\n<h3 class="wp-block-heading">Title</h3>\n<!-- /wp:heading -->',
          '<!-- wp:list -->\n<ul class="wp-block-list"><!-- wp:list-item -->\n<li>One</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list -->',
          '<!-- wp:separator -->\n<hr class="wp-block-separator has-alpha-channel-opacity"/>\n<!-- /wp:separator -->',
        ].join('\n\n'),
      )
      const classic = await run<string>(`
      open('A line\\n\\nAnother')
      editor.commands.insertContentAt(editor.state.doc.content.size, '<h2>Title</h2>')
      return stored()`)
      expect(classic).to.equal('A line\n\nAnother\n\n<h2>Title</h2>')
    })

    it('writes the first caption of an image with the class of WordPress', async () => {
      const image = (caption: string) =>
        `<!-- wp:image -->\n<figure class="wp-block-image"><img src="/a.jpg" alt=""/>${caption}</figure>\n<!-- /wp:image -->`
      const captioned = await run<string>(`
      open(${JSON.stringify(image(''))})
      typeInto(0, 'Boat')
      return stored()`)
      expect(captioned).to.equal(image('<figcaption class="wp-element-caption">Boat</figcaption>'))
    })

    it('loses the attributes of a block with its type', async () => {
      const changed = await run<string>(`
      open('<!-- wp:heading {"textAlign":"center","level":3} -->\\n<h3 class="wp-block-heading has-text-align-center">T</h3>\\n<!-- /wp:heading -->')
      editor.commands.setParagraph()
      const paragraph = stored()
      editor.commands.setHeading({ level: 4 })
      return [paragraph, stored()].join('|')`)
      expect(changed).to.equal(
        '<!-- wp:paragraph -->\n<p>T</p>\n<!-- /wp:paragraph -->|<!-- wp:heading {"textAlign":"center","level":4} -->\n<h4 class="wp-block-heading has-text-align-center">T</h4>\n<!-- /wp:heading -->',
      )
    })

    it('is edited as HTML if it is not a sequence of blocks', async () => {
      const visual = (content: string) => run<boolean>(`return isVisual(${JSON.stringify(content)})`)
      expect(await visual('Text <b>one\n\ntwo</b> three')).to.equal(false)
      expect(await visual('<p>Text</p>\n\nmore')).to.equal(true)
    })

    describe('pasting', () => {
      const pasted = (html: string) =>
        run<string>(`
        open('A classic post')
        editor.commands.selectAll()
        editor.view.pasteHTML(${JSON.stringify(html)})
        return stored()`)

      it('makes lists of the lists of Word, and drops its styles', async () => {
        const item = (level: number, bullet: string, text: string) =>
          `<p class=MsoListParagraphCxSpFirst style='margin-left:.5in;text-indent:-.25in;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${bullet}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>`
        const html = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta name=Generator content="Microsoft Word 15"><style><!-- p.MsoNormal {mso-style-unhide:no;} --></style></head><body lang=EN-US style='tab-interval:.5in'><!--StartFragment--><h2 style='mso-outline-level:2'>Report<o:p></o:p></h2><p class=MsoNormal style='mso-margin-top-alt:auto'>Some <b style='mso-bidi-font-weight:normal'>bold</b> and <span style='mso-ansi-language:EN-US'>plain</span> text<o:p></o:p></p>${item(1, '·', 'One')}${item(2, 'o', 'Inner')}${item(1, '·', 'Two')}<p class=MsoNormal><o:p>&nbsp;</o:p></p><!--EndFragment--></body></html>`
        const blocks = [
          '<h2>Report</h2>',
          '<p>Some <strong>bold</strong> and plain text</p>',
          '<ul><li>One<ul><li>Inner</li></ul></li><li>Two</li></ul>',
        ]
        expect(await pasted(html)).to.equal(blocks.join('\n\n'))
      })

      it('drops the wrapper and the styles of Google Docs, and keeps what they mean', async () => {
        const span = (style: string, text: string) =>
          `<span style="font-size:11pt;font-family:Arial,sans-serif;color:#000000;background-color:transparent;font-variant:normal;vertical-align:baseline;white-space:pre-wrap;${style}">${text}</span>`
        const line = (style: string, text: string) =>
          `<p dir="ltr" style="line-height:1.38;margin-top:0pt;margin-bottom:0pt;">${span(style, text)}</p>`
        const html = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><h2 dir="ltr" style="line-height:1.38">${span('font-weight:400', 'Title')}</h2>${line('font-weight:400;font-style:normal', 'Plain')}${line('font-weight:700', 'Bold')}${line('font-style:italic', 'Italic')}<br /><ul style="margin-top:0;"><li dir="ltr" style="list-style-type:disc" aria-level="1"><p dir="ltr" role="presentation">${span('', 'One')}</p></li></ul></b><br class="Apple-interchange-newline">`
        const blocks = [
          '<h2>Title</h2>',
          '<p>Plain</p>',
          '<p><strong>Bold</strong></p>',
          '<p><em>Italic</em></p>',
          '<ul><li>One</li></ul>',
        ]
        expect(await pasted(html)).to.equal(blocks.join('\n\n'))
      })
    })

    describe('pasting Markdown', () => {
      /** As a program without HTML puts it on the clipboard. */
      const pasted = (text: string, into = '') =>
        run<string>(`
        open(${JSON.stringify(into)})
        editor.commands.focus('end')
        const clipboardData = new DataTransfer()
        clipboardData.setData('text/plain', ${JSON.stringify(text)})
        // Firefox hides the data of an event that was created with it.
        const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true })
        editor.view.dom.dispatchEvent(Object.defineProperty(event, 'clipboardData', { value: clipboardData }))
        return editor.getHTML()`)

      it('makes blocks of it', async () => {
        const text = [
          ...['# Title', 'A **bold** and *slanted* ~~struck~~ `code`\nline, [linked](https://example.org/).'],
          ...['- One\n- Two\n  1. Inner', '> Quoted', '```js\nlet a = 1\n\n  b < 2\n```', '---'],
          '| A | B |\n| - | - |\n| 1 | 2 |',
        ]
        const html = await pasted(text.join('\n\n'))
        const parts = [
          ...[
            '<h1>Title</h1>',
            '<p>A <strong>bold</strong> and <em>slanted</em> <s>struck</s> <code>code</code><br>line, ',
          ],
          ...[
            'href="https://example.org/">linked</a>.</p>',
            '<ul><li><p>One</p></li><li><p>Two</p><ol><li><p>Inner</p>',
          ],
          ...['<blockquote><p>Quoted</p></blockquote>', '<pre><code>let a = 1\n\n  b &lt; 2</code></pre>', '<hr>'],
        ]
        for (const part of parts) expect(html).to.include(part)
        expect(html).to.match(/<th[^>]*><p>A<\/p><\/th>.*<td[^>]*><p>2<\/p><\/td>/)
      })

      it('goes on in the line if it is one', async () => {
        expect(await pasted('**very** good', '<p>It is:</p>')).to.include('It is:<strong>very</strong> good</p>')
      })

      it('leaves other text and code alone, and takes HTML for text', async () => {
        expect(await pasted('5 * 3 * 2 = 30\n\n    indented_by_four')).to.equal(
          '<p>5 * 3 * 2 = 30</p><p>    indented_by_four</p>',
        )
        expect(
          await pasted(
            '**a**',
            '<!-- wp:code -->\n<pre class="wp-block-code"><code>code </code></pre>\n<!-- /wp:code -->',
          ),
        ).to.include('code **a**')
        const html = await pasted('**a** <img src=x onerror=alert(1)> [b](javascript:alert(1))')
        expect(html).to.include('&lt;img src=x onerror=alert(1)&gt;').and.not.include('javascript:')
        expect(await pasted('<div>\n**a**\n</div>')).to.equal(
          '<p>&lt;div&gt;<br><strong>a</strong><br>&lt;/div&gt;</p>',
        )
      })

      it('takes stored blocks for blocks', async () => {
        const spacer =
          '<!-- wp:spacer {"height":"40px"} -->\n<div style="height:40px" aria-hidden="true" class="wp-block-spacer"></div>\n<!-- /wp:spacer -->'
        const blocks = `<!-- wp:heading {"level":3} -->\n<h3 class="wp-block-heading">*A*</h3>\n<!-- /wp:heading -->\n\n${spacer}`
        await pasted(blocks)
        expect(await run<string>('return stored()')).to.equal(blocks)
        const before = '<!-- wp:paragraph -->\n<p>Before</p>\n<!-- /wp:paragraph -->'
        await pasted(spacer, before)
        expect(await run<string>('return stored()')).to.equal(`${before}\n\n${spacer}`)
      })

      it('makes paragraphs of text that would keep the editor busy', async () => {
        const row = '|a|'.repeat(200)
        const table = [row, row.replaceAll('a', '-'), ...Array(100).fill('|')].join('\n')
        for (const text of ['**a** '.repeat(1001), `${'>'.repeat(2001)} a`, 'a\n=\n'.repeat(2001), table])
          expect(await pasted(text)).to.match(/^(<p>[^<]*<\/p>)+$/)
        expect(await pasted(`**a** ${'b '.repeat(25_000)}`)).to.include('**a** b')
        expect(await pasted('**a** '.repeat(999))).to.include('<strong>a</strong>')
      })
    })

    it('understands the shortcuts of Markdown while they are typed', async () => {
      const { page } = editor
      const typed = async (text: string) => {
        await run(`open(''); editor.commands.focus()`)
        // The editor takes the focus in the next frame; keys typed before it are lost.
        await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
        await page.keyboard.type(text)
        return run<string>(`return editor.getHTML()`)
      }
      expect(await typed('## Title')).to.equal('<h2>Title</h2>')
      expect(await typed('- One')).to.equal('<ul><li><p>One</p></li></ul>')
      expect(await typed('1. One')).to.equal('<ol><li><p>One</p></li></ol>')
      expect(await typed('> Quoted')).to.equal('<blockquote><p>Quoted</p></blockquote>')
      expect(await typed('---')).to.match(/^<hr>/)
      expect(await typed('``` let')).to.equal('<pre><code>let</code></pre>')
      expect(await typed('**bold**, *italic*, ~~struck~~, `code`')).to.equal(
        '<p><strong>bold</strong>, <em>italic</em>, <s>struck</s>, <code>code</code></p>',
      )
    })
  })
}
