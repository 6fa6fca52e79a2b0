import { openExports } from './export-files.ts'
import { readExports } from './read-elements.ts'
import { readRecord, type WxrAuthor } from './wxr.ts'
import { explain, WxrError } from './wxr-error.ts'

/**
 * The authors that an export declares, and those of its items, by login.
 * @throws WxrError if a file cannot be read to its end
 */
export async function listAuthors(files: readonly string[]): Promise<Pick<WxrAuthor, 'login' | 'email'>[]> {
  const authors = new Map<string, Pick<WxrAuthor, 'login' | 'email'>>()
  try {
    for await (const { element } of readExports(await openExports(files))) {
      const record = readRecord(element)
      if (record?.kind === 'author') authors.set(record.author.login, record.author)
      if (record?.kind !== 'item' || authors.has(record.item.author)) continue
      authors.set(record.item.author, { login: record.item.author, email: '' })
    }
  } catch (error) {
    throw error instanceof WxrError ? explain(error, undefined) : error
  }
  authors.delete('')
  return [...authors.values()]
}
