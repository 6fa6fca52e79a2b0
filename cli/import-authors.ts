import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { CsvError, parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { z } from 'zod'
import type { Site } from '../app/create-site.ts'
import { type AuthorMapping, listAuthors } from '../cms/content/import/index.ts'

/** A row of the file, as WP-CLI has it. */
const rowSchema = z.object({ old_user_login: z.string(), new_user_login: z.string() })
/** The prefix that prevents spreadsheets from evaluating a cell. */
const ESCAPE = /^'(?=[=+\-@\t\r＝＋－＠])/

/**
 * Argument of `pentad import --authors`, as in WP-CLI: `create`, `skip`, or a CSV file with the columns `old_user_login` and
 * `new_user_login`. A CSV file that does not exist is created with the authors of the export, to be filled in.
 */
export async function readAuthorMapping(
  how: string,
  files: readonly string[],
  { auth: { users } }: Pick<Site, 'auth'>,
): Promise<AuthorMapping> {
  if (how === 'create' || how === 'skip') return how
  if (existsSync(how)) {
    const mapping = parseMapping(how, await readFile(how, 'utf8'))
    const unknown: string[] = []
    for (const login of new Set(mapping.values())) if (!(await users.getByLogin(login))) unknown.push(login)
    if (unknown.length > 0) throw new Error(`${how}: there are no users ${unknown.join(', ')}. Nothing was imported.`)
    return mapping
  }
  if (!/\.csv$/i.test(how)) throw new Error('--authors must be create, skip, or the path of a CSV file.')
  const rows: string[][] = []
  for (const { login, email } of await listAuthors(files)) {
    const user = (await users.getByLogin(login)) ?? (email === '' ? undefined : await users.getByEmail(email))
    rows.push([login, user?.login ?? ''])
  }
  const columns = Object.keys(rowSchema.shape)
  await writeFile(how, stringify(rows, { header: true, columns, escape_formulas: true }), { flag: 'wx' })
  throw new Error(
    `${how} was created with the authors of the export: enter the login of a user for each, and run the import again.`,
  )
}

/** @throws Error if it is not CSV, or lacks one of the columns */
function parseMapping(path: string, text: string): Map<string, string> {
  try {
    const records = parse(text, { columns: true, bom: true, trim: true, skip_empty_lines: true })
    const rows = z.array(rowSchema).parse(records)
    return new Map(
      rows
        .filter((row) => row.new_user_login !== '')
        .map((row) => [row.old_user_login.replace(ESCAPE, ''), row.new_user_login.replace(ESCAPE, '')]),
    )
  } catch (error) {
    if (!(error instanceof CsvError || error instanceof z.ZodError)) throw error
    throw new Error(`${path} is not a CSV file with the columns old_user_login and new_user_login.`, { cause: error })
  }
}
