import { StatementSync } from 'node:sqlite'

/** The statements that SQLite runs meanwhile and that answer rows. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const statements: string[] = []
  const { all } = StatementSync.prototype
  StatementSync.prototype.all = function (...values) {
    statements.push(this.sourceSQL)
    return Reflect.apply(all, this, values)
  }
  try {
    await work()
  } finally {
    StatementSync.prototype.all = all
  }
  return statements
}
