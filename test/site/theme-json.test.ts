import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { appearanceSettings } from '../../cms/site/appearance/settings.ts'
import { printStyles } from '../../cms/site/appearance/styles.ts'
import { createThemes } from '../../cms/site/theme/theme.ts'
import { readThemeJson } from '../../cms/site/theme/theme-json.ts'

describe('theme.json', () => {
  function read(json: unknown) {
    const skipped: string[] = []
    const result = readThemeJson(JSON.stringify(json), (problem) => skipped.push(problem))
    return { result, skipped }
  }
  const colorsOf = (...colors: unknown[]) =>
    read({ settings: { color: { palette: colors.map((color, at) => ({ slug: `color-${at}`, color })) } } })

  it('of a WordPress theme is read, whichever keys it has', () => {
    const { result, skipped } = read({
      version: 3,
      settings: {
        appearanceTools: true,
        color: { custom: false },
        typography: { fluid: true, fontSizes: [{ slug: 'small', size: '1rem' }] },
      },
      styles: { typography: { fontSize: '1.1rem', lineHeight: 1.6 }, elements: { heading: { color: {} } } },
    })
    expect(skipped).to.deep.equal([])
    expect(result?.settings.typography).to.deep.equal({})
  })

  it('may use any CSS color; of hexadecimal ones, the short form is expanded', () => {
    const colors = ['#111111', '#11111133', 'teal', 'rgb(0 0 0 / 5%)', 'oklch(60% calc(0.1 + 0.05) 30deg)']
    const mixed = 'color-mix(in srgb, currentColor 20%, transparent)'
    const { result, skipped } = colorsOf('#aBc', mixed, ...colors)
    expect(skipped).to.deep.equal([])
    expect(result?.settings.color?.palette?.map(({ color }) => color)).to.deep.equal(['#aaBBcc', mixed, ...colors])
  })

  it('skips what is not a color, or more than one', () => {
    const unsafe = [
      'red;}',
      'url(x)',
      'color-mix(in srgb, url(x), red)',
      'rgb(0 0 0)(',
      'rgb(0 0 0) var(--x)',
      '#12',
      5,
    ]
    const { result, skipped } = colorsOf('#ffffff', ...unsafe, '#000000')
    expect(result?.settings.color?.palette?.map(({ color }) => color)).to.deep.equal(['#ffffff', '#000000'])
    expect(skipped).to.have.length(unsafe.length)
    expect(skipped.at(-1)).to.equal('settings.color.palette.1: It is not a color.')
  })

  it('skips invalid items of lists and records, not those around them', () => {
    const face = { fontFamily: 'Lora', src: ['file:./lora.woff2', 'file:./lora.ttf'], fontWeight: 400 }
    const { result, skipped } = read({
      settings: {
        typography: {
          fontFamilies: [{ slug: 'No slug' }, { slug: 'lora', fontFamily: 'Lora', fontFace: [{ src: 1 }, face] }],
        },
        custom: { dark: { base: '#000000', contrast: {} }, gap: '1rem' },
      },
      styles: { typography: { fontFamily: { ref: 'styles.other' } } },
    })
    expect(result?.settings).to.deep.equal({
      typography: {
        fontFamilies: [{ slug: 'lora', fontFamily: 'Lora', fontFace: [{ ...face, fontWeight: '400' }] }],
      },
      custom: { dark: { base: '#000000' }, gap: '1rem' },
    })
    expect(skipped.map((problem) => problem.split(':')[0])).to.have.members([
      'settings.typography.fontFamilies.0',
      'settings.typography.fontFamilies.1.fontFace.0',
      'settings.custom.dark.contrast',
      'styles.typography.fontFamily',
    ])
  })

  it('of which nothing can be used is as if it did not exist', () => {
    for (const text of ['{', '[]', 'null', '"text"']) {
      const skipped: string[] = []
      expect(
        readThemeJson(text, (problem) => skipped.push(problem)),
        text,
      ).to.equal(undefined)
      expect(skipped, text).to.have.length(1)
    }
  })

  it('offers a font in several formats, each with its own', () => {
    const { result: json } = read({
      settings: {
        typography: {
          fontFamilies: [
            { slug: 'lora', fontFamily: 'Lora', fontFace: [{ fontFamily: 'Lora', src: ['local(L)', 'file:./l.ttf'] }] },
          ],
        },
      },
      styles: { typography: { fontFamily: 'var:preset|font-family|lora' } },
    })
    const theme = { json, styles: new Map(), asset: (file: string) => `/${file}` }
    const html = printStyles(theme, appearanceSettings.parse({}))
    expect(html).to.include('src:local(L),url(/l.ttf) format("truetype")')
    expect(html).to.include('href="/l.ttf" as="font" type="font/ttf"')
  })

  it('is printed once for a theme and settings', () => {
    const { result: json } = colorsOf('#ffffff')
    const theme = { json, styles: new Map(), asset: (file: string) => file }
    const settings = appearanceSettings.parse({})
    const html = printStyles(theme, settings)
    expect(html).to.include('--wp--preset--color--color-0:#ffffff').and.not.include('--wp--preset--color--accent')
    expect(printStyles(theme, { ...settings, lightAccent: '#102030' })).to.include(
      '--wp--preset--color--accent:#102030',
    )
    expect(printStyles({ ...theme, json: undefined }, settings)).to.equal('')
    expect(printStyles(theme, settings)).to.equal(html)
  })

  describe('with mistakes', () => {
    let siteDir: string
    before(() => {
      siteDir = mkdtempSync(join(tmpdir(), 'theme-json-'))
    })
    after(() => rmSync(siteDir, { recursive: true }))

    it('never stops the theme, and is reported once per version of the file', async () => {
      const folder = join(siteDir, 'themes/own')
      await mkdir(join(folder, 'styles'), { recursive: true })
      const warnings: { file: string; problems: string[] }[] = []
      const log = { warn: (details: (typeof warnings)[number]) => warnings.push(details) }
      const themes = createThemes(siteDir, { watch: true, log })
      const write = async (file: string, text: string, time: number) => {
        await writeFile(join(folder, file), text)
        await utimes(join(folder, file), time, time)
      }
      await write('theme.json', '{ "settings": { "color": 1, "typography": {} } }', 1)
      await write('styles/dark.json', 'not JSON', 1)
      await write('style.css', '', 1)
      const theme = await themes.open('own')
      expect(theme?.json?.settings).to.deep.equal({ typography: {} })
      expect([...(theme?.styles.keys() ?? [])]).to.deep.equal([])
      expect(warnings.map(({ file }) => file)).to.have.members([
        join(folder, 'theme.json'),
        join(folder, 'styles/dark.json'),
      ])

      await write('style.css', 'a {}', 2)
      expect(await themes.open('own')).to.not.equal(theme)
      expect(warnings).to.have.length(2)
      await write('theme.json', '{ "settings": { "color": 2 } }', 2)
      await themes.open('own')
      expect(warnings).to.have.length(3)
    })
  })
})
