import { expect } from 'chai'
import { findTerms } from '../../docs/terms/check.ts'

/** The left side of the glossary that the texts of Pentad follow, each phrase by itself. */
const PHRASES = [
  'keep',
  'kept page',
  'storable',
  'render anew',
  'rendered anew',
  'made anew',
  'told',
  'tells of',
  'hears of',
  'take away',
  'is gone',
  'thrown away',
  'whole',
  'is whole',
  'sums are right',
  'put together',
  'read back',
  'frozen',
  'looked for',
  'gathered',
  'found out',
  'passed over',
  'at another place',
  'elsewhere',
  'what is left out',
  'Somebody else gets it',
  'nobody waits any more',
  'whoever asked left',
  'refusal',
  'refused',
  'refusable', // cspell:ignore refusable
  'under way',
  'beside',
  'oddities',
  'strays',
  'turns',
  'arrival',
  'opened',
  'admit',
  'memory of a view',
  'mend',
  'for now',
  'for good',
  'own copies of fonts',
  'the usual one',
  'leads nowhere',
  'worth doing',
  'Go there',
  'Let backups be made automatically',
  'Only who knows it reads the text',
]

/** Where a text can stand that somebody reads: the name of a file, and what is written in it. */
const PLACES: Readonly<Record<string, readonly [file: string, content: (phrase: string) => string]>> = {
  'a translated text of a screen': ['screen.tsx', (phrase) => `export const title = __('${phrase}')\n`],
  'the markup of a screen': ['screen.tsx', (phrase) => `export const Note = () => <p>\n  ${phrase}\n</p>\n`],
  'an attribute of a screen': [
    'screen.tsx',
    (phrase) => `export const Go = () => <Button label={__('${phrase}')} />\n`,
  ],
  'the title of a setting': [
    'settings.ts',
    (phrase) => `export const a = z.boolean().meta({ title: '${phrase}', description: 'Caches pages.' })\n`,
  ],
  'the description of a setting': [
    'settings.ts',
    (phrase) => `export const a = z.boolean().meta({ title: 'Cache', description: '${phrase}' })\n`,
  ],
  'the summary of a route': [
    'routes.ts',
    (phrase) => `route({ method: 'GET', path: '/pages', summary: '${phrase}' })\n`,
  ],
  'an error of a route': ['routes.ts', (phrase) => `throw new RestError('no', 'Sorry: ${phrase}.', { status: 400 })\n`],
  'what a command says': ['command.ts', (phrase) => `print(\`\${count} pages: ${phrase}\`)\n`],
  'a page of the theme': ['page.eta', (phrase) => `<main>\n  <p>${phrase}</p>\n</main>\n`],
  'a paragraph of a guide': ['guide.md', (phrase) => `# Cache\n\nThe page: ${phrase}, as *set*.\n`],
  'the heading of a guide': ['guide.md', (phrase) => `# ${phrase}\n\nText.\n`],
  'a table of a guide': ['guide.md', (phrase) => `| A | B |\n|---|---|\n| \`a\` | ${phrase} |\n`],
}

/** Words that are standard English in a sentence, and odd only where they are all of a text. */
const ALONE = ['keep', 'whole', 'turns', 'opened']

describe('The check of terms', () => {
  for (const [place, [file, content]] of Object.entries(PLACES)) {
    it(`finds each phrase of the glossary in ${place}`, () => {
      const inSentence = content('').match(/Sorry|pages: |The page/) !== null
      const missed = PHRASES.filter((phrase) => !(inSentence && ALONE.includes(phrase))).filter(
        (phrase) => findTerms(file, content(phrase)).length === 0,
      )
      expect(missed).to.deep.equal([])
    })
  }

  it('says where the phrase is and what is written in its place', () => {
    expect(findTerms('guide.md', '# Pages\n\nThe page is gone.\n')).to.deep.equal([
      { file: 'guide.md', line: 3, found: 'is gone', instead: 'purge, remove, delete, discard' },
    ])
  })

  it('lets code, names, comments and standard English be', () => {
    expect(
      findTerms('guide.md', 'Call `keptPages()` or `told`.\n\n```ts\n// kept, told, gathered\n```\n'),
    ).to.deep.equal([])
    expect(findTerms('routes.ts', "// nobody is told\nimport kept from './kept.ts'\nswitch_('kept')\n")).to.deep.equal(
      [],
    )
    expect(
      findTerms('guide.md', 'Keep the last 7 backups of the whole site. It turns compression on.\n'),
    ).to.deep.equal([])
    expect(findTerms('guide.md', 'The server answered: connection refused.\n')).to.deep.equal([])
  })
})
