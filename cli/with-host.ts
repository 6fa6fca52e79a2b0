import { createHost, type Host } from '../core/host.ts'

/** Opens the site without serving it, does the work and closes it again, whatever happens. */
export async function withHost<Result>(
  work: (host: Host) => Promise<Result>,
  logLevel: 'silent' | 'warn' = 'warn',
): Promise<Result> {
  const host = await createHost({ logLevel })
  if (host.firstAdministrator) printFirstAdministrator(host.firstAdministrator)
  try {
    return await work(host)
  } finally {
    await host.close()
  }
}

/** Tells the one time that it can be told how to sign in. */
export function printFirstAdministrator({ login, password }: { login: string; password: string | null }): void {
  console.log(
    password === null
      ? `Administrator "${login}" created with the configured password.`
      : `Administrator created. It is shown only this once:\n  user name  ${login}\n  password   ${password}`,
  )
}
