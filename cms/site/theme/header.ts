import { join } from 'node:path'
import { openRegularFile } from '../files/regular-file.ts'

/** Maximum number of bytes read; as in WordPress's `get_file_data`. */
const READ = 8192

/** Theme headers from the first comment of `style.css`, named as in WordPress; empty if missing. */
export interface ThemeHeader {
  readonly name: string
  readonly themeUri: string
  readonly author: string
  readonly authorUri: string
  readonly description: string
  readonly version: string
  readonly tags: readonly string[]
  readonly textDomain: string
  /** Name of the parent theme; empty if there is none. */
  readonly template: string
  readonly requiresWp: string
  readonly requiresPhp: string
}

/** Reads the headers from the first folder with a style sheet. */
export async function readThemeHeader(folders: readonly string[]): Promise<ThemeHeader> {
  const fields = fieldsOf(await firstText(folders.map((folder) => join(folder, 'style.css'))))
  const field = (label: string) => fields.get(label.toLowerCase()) ?? ''
  return {
    name: field('Theme Name'),
    themeUri: urlOf(field('Theme URI')),
    author: field('Author'),
    authorUri: urlOf(field('Author URI')),
    description: field('Description'),
    version: field('Version'),
    tags: field('Tags')
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
    textDomain: field('Text Domain'),
    template: field('Template'),
    requiresWp: field('Requires at least'),
    requiresPhp: field('Requires PHP'),
  }
}

/** Lines such as `Theme Name: Dawn` or ` * Version: 1.2`, the first of each label, by label in lower case. */
function fieldsOf(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const line of text.split(/[\r\n]+/)) {
    const start = line.replace(/^[\s/*#@]+/, '')
    const colon = start.indexOf(':')
    const label = start.slice(0, colon).toLowerCase()
    const value = start.slice(colon + 1).replace(/\*\/.*$/, '')
    if (colon > 0 && !fields.has(label)) fields.set(label, value.trim())
  }
  return fields
}

function urlOf(text: string): string {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? text : ''
}

async function firstText(files: readonly string[]): Promise<string> {
  for (const file of files) {
    const opened = await openRegularFile(file).catch(() => undefined)
    if (!opened) continue
    const { handle } = opened
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(READ), 0, READ, 0)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await handle.close()
    }
  }
  return ''
}
