/**
 * Looks for words of the glossary's left side in texts that people read: screens, settings, routes, errors, commands,
 * themes, guides. `node docs/terms/check.ts [folder or file …]`; `npm run lint` checks all that is listed here.
 */
import { globSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { glossary } from './glossary.ts'
import { proseOf } from './prose.ts'

export interface Mark {
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly found: string
  readonly instead: string
}

const ROOT = join(import.meta.dirname, '../..')
const CHECKED = [
  ...['admin/src', 'app', 'bench', 'cli', 'cms', 'core', 'docs', 'examples', 'extensions', 'plugins', 'themes'],
  ...['CHANGELOG.md', 'CONTRIBUTING.md', 'README.md', 'SECURITY.md'],
]
/** Tests, builds, and the glossary itself. */
const NEVER = ['**/node_modules/**', '**/*.test.ts', '**/dist/**', 'terms/glossary.ts']

const patterns = glossary.map(({ instead, never, alone = [] }) => {
  const spaced = (phrases: readonly string[]) => phrases.join('|').replaceAll(' ', '\\s+')
  return {
    instead,
    phrase: new RegExp(`\\b(?:${spaced(never)})\\b`, 'iu'),
    text: alone.length > 0 ? new RegExp(`^\\W*(?:${spaced(alone)})\\W*$`, 'iu') : undefined,
  }
})
/** Most files have none of the words, and need not be parsed. */
const anywhere = new RegExp(
  glossary
    .flatMap(({ never, alone = [] }) => [...never, ...alone.map((word) => `(^|\\W)${word}(\\W|$)`)])
    .join('|')
    .replaceAll(' ', '\\s+'),
  'iu',
)

/** The words of a file that its readers should not meet. `name` decides how it is read. */
export function findTerms(name: string, content: string): readonly Mark[] {
  if (!anywhere.test(content)) return []
  return proseOf(name, content).flatMap(({ text, line }) =>
    patterns.flatMap(({ phrase, text: whole, instead }) => {
      const found = phrase.exec(text) ?? whole?.exec(text)
      return found ? [{ file: name, line, found: found[0].trim(), instead }] : []
    }),
  )
}

function filesBelow(path: string): readonly string[] {
  if (statSync(path).isFile()) return [path]
  return globSync('**/*.{ts,tsx,md,eta}', { cwd: path, exclude: NEVER }).map((file) => join(path, file))
}

if (import.meta.main) {
  const given = process.argv.slice(2)
  const paths = given.length > 0 ? given : CHECKED.map((path) => join(ROOT, path))
  const marks = paths.flatMap(filesBelow).flatMap((path) => findTerms(relative(ROOT, path), readFileSync(path, 'utf8')))
  for (const { file, line, found, instead } of marks) console.error(`${file}:${line} "${found}": ${instead}`)
  if (marks.length > 0) {
    console.error(`${marks.length} words that Pentad's texts do not use (docs/terms/glossary.ts).`)
    process.exitCode = 1
  }
}
