import { glob, readFile, stat } from 'node:fs/promises'
import { extname, join, posix } from 'node:path'

/** Pages outside of `docs/`. */
const OTHER_PAGES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']
/** Extensions and programs of the repository that are shown as examples, each tested there. */
const EXAMPLES: Readonly<Record<string, { readonly title: string; readonly run: string }>> = {
  'extensions/reading-time': {
    title: 'An extension with a filter, a setting and a route',
    run: 'npm run pentad -- extension activate reading-time',
  },
  'examples/host-only': { title: 'A guest book on the host alone', run: 'node examples/host-only/index.ts' },
}
/** Code, in which nothing is a link, or the target of a link. */
const CODE_OR_LINK = /```[\s\S]*?\n```|`[^`\n]+`|(?<=\]\()[^)\s]+(?=\))/g

/**
 * The pages of the site by path, from the repository's Markdown files. Links are absolute; files that are no pages are included as text.
 *
 * @param root - Folder of the repository.
 */
export async function createPages(root: string): Promise<Map<string, string>> {
  const sources = [...OTHER_PAGES, ...(await find(root, 'docs/**/*.md'))]
  const pages = new Map<string, string>()
  const files = new Set<string>()
  const titles = new Map<string, string>()
  for (const source of sources) {
    const text = await readFile(join(root, source), 'utf8')
    const linked = await mapLinks(text, (target) => linkTo(root, source, target, files))
    pages.set(pageOf(source), linked)
    titles.set(pageOf(source), /^# (.+)$/m.exec(text)?.[1] ?? source)
  }
  for (const [folder, example] of Object.entries(EXAMPLES)) {
    const page = `examples/${posix.basename(folder)}.md`
    pages.set(page, await examplePage(root, folder, example))
    titles.set(page, example.title)
  }
  for (const file of files) pages.set(`public/source/${file}.txt`, await readFile(join(root, file), 'utf8'))
  pages.set('sidebar.json', JSON.stringify(sidebarOf(titles)))
  return pages
}

/** `docs/guides/seo.md` is `guides/seo.md`. */
function pageOf(source: string): string {
  return source === 'README.md' ? 'index.md' : source.replace(/^docs\//, '')
}

/** The link of the site for a link in a Markdown file. Adds files that are no pages to `files`. */
async function linkTo(root: string, source: string, target: string, files: Set<string>): Promise<string> {
  if (/^(?:[a-z]+:|#)/.test(target)) return target
  const [path = '', anchor] = target.split('#')
  const file = posix.join(posix.dirname(source), path)
  const hash = anchor === undefined ? '' : `#${anchor}`
  if (file.startsWith('docs/images/')) return `/${file}`
  if (extname(file) === '.md' && (OTHER_PAGES.includes(file) || file.startsWith('docs/')))
    return `/${pageOf(file)}${hash}`
  const isFolder = (await stat(join(root, file))).isDirectory()
  const found = isFolder ? await find(root, posix.join(file, '*.*')) : [file]
  for (const one of found) files.add(one)
  return `/source/${found[0]}.txt`
}

async function mapLinks(text: string, change: (target: string) => Promise<string>): Promise<string> {
  const targets = new Map<string, string>()
  for (const [found] of text.matchAll(CODE_OR_LINK)) {
    if (!found.startsWith('`')) targets.set(found, await change(found))
  }
  return text.replace(CODE_OR_LINK, (found) => targets.get(found) ?? found)
}

async function examplePage(
  root: string,
  folder: string,
  { title, run }: { title: string; run: string },
): Promise<string> {
  const files = (await find(root, posix.join(folder, '*.ts'))).filter((file) => !file.endsWith('.test.ts'))
  const sources = await Promise.all(
    files.map(async (file) => `\`${file}\`\n\n\`\`\`ts\n${await readFile(join(root, file), 'utf8')}\`\`\`\n`),
  )
  return `# ${title}\n\nRun it in a clone of the repository:\n\n\`\`\`sh\n${run}\n\`\`\`\n\n${sources.join('\n')}`
}

/** Guides, reference, examples and the rest, each by title. */
function sidebarOf(titles: ReadonlyMap<string, string>) {
  const section = (text: string, isIn: (page: string) => boolean) => ({
    text,
    items: [...titles]
      .filter(([page]) => isIn(page))
      .map(([page, title]) => ({ text: title, link: `/${page.replace(/\.md$/, '')}` }))
      .sort((one, other) => one.text.localeCompare(other.text)),
  })
  return [
    section('Guides', (page) => page.startsWith('guides/')),
    section('Reference', (page) => page.startsWith('reference/')),
    section('Examples', (page) => page.startsWith('examples/')),
    section('Project', (page) => !page.includes('/') && page !== 'index.md'),
  ]
}

async function find(root: string, pattern: string): Promise<string[]> {
  return (await Array.fromAsync(glob(pattern, { cwd: root }))).sort()
}
