import { createEmptyPostgresDatabase, createPostgresDatabase, postgresBinaries } from './postgres.ts'

/**
 * Runs the same tests on SQLite and on PostgreSQL. `databaseUrl()` makes a fresh PostgreSQL database, or answers
 * `undefined`, which means SQLite. Where PostgreSQL is not installed its half is pending, but in CI it must run.
 *
 * @param options.isEmpty - Whether the tables of a site are to be missing in it.
 */
export function onEachDatabase(
  title: string,
  tests: (databaseUrl: () => Promise<string | undefined>, kind: 'sqlite' | 'postgres') => void,
  { isEmpty = false }: { isEmpty?: boolean } = {},
): void {
  describe(`${title} (SQLite)`, () => tests(async () => undefined, 'sqlite'))
  describe(`${title} (PostgreSQL)`, () => {
    before(function () {
      if (!postgresBinaries && process.env.CI !== 'true') this.skip()
    })
    tests(isEmpty ? createEmptyPostgresDatabase : createPostgresDatabase, 'postgres')
  })
}
