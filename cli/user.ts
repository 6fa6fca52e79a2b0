import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import type { User } from '../core/auth/types.ts'
import type { Host } from '../core/host.ts'
import { withHost } from './with-host.ts'

/** `pentad user …`: makes users, their passwords and application passwords. */
export function userCommand(): Command {
  const user = new Command('user').description('create users and set their passwords')
  user
    .command('create')
    .argument('<login>')
    .requiredOption('--email <address>')
    .option('--role <role>', 'administrator, editor, author, contributor or subscriber', 'subscriber')
    .option('--password-stdin', 'read the password from standard input instead of making one')
    .description('create a user')
    .action(create)
  user
    .command('password')
    .argument('<login>')
    .option('--password-stdin', 'read the password from standard input instead of making one')
    .description('set a new password; ends the sessions of the user and revokes the application passwords')
    .action(setPassword)
  user
    .command('app-password')
    .argument('<login>')
    .argument('<name>', 'what it is for, for example "deploy script"')
    .description('make an application password for REST clients')
    .action(createApplicationPassword)
  return user
}

async function create(
  login: string,
  { email, role, passwordStdin }: { email: string; role: string; passwordStdin?: boolean },
): Promise<void> {
  await withHost(async (host) => {
    if (!host.auth.roles().has(role)) {
      throw new Error(`There is no role "${role}". Roles: ${[...host.auth.roles().keys()].join(', ')}`)
    }
    const password = await choosePassword(passwordStdin)
    const user = await host.auth.users.create({ login, email, roles: [role], password: password.value })
    console.log(`User ${user.login} (id ${user.id}, ${role}) created.`)
    password.print()
  })
}

async function setPassword(login: string, { passwordStdin }: { passwordStdin?: boolean }): Promise<void> {
  await withHost(async (host) => {
    const user = await findUser(host, login)
    const password = await choosePassword(passwordStdin)
    await host.auth.users.update(user.id, { password: password.value })
    console.log(
      `The password of ${user.login} is changed. All sessions have ended and all application passwords are revoked.`,
    )
    password.print()
  })
}

async function createApplicationPassword(login: string, name: string): Promise<void> {
  await withHost(async (host) => {
    const user = await findUser(host, login)
    const { password } = await host.auth.applicationPasswords.create(user.id, name)
    console.log(`Application password of ${user.login} for "${name}", shown only this once:\n  ${password}`)
  })
}

async function findUser(host: Host, login: string): Promise<User> {
  const user = await host.auth.users.getByLogin(login)
  if (!user) throw new Error(`There is no user "${login}".`)
  return user
}

/** A password never comes as an argument: every process of the machine could read it there. */
async function choosePassword(fromStdin: boolean | undefined): Promise<{ value: string; print(): void }> {
  if (!fromStdin) {
    const value = randomBytes(18).toString('base64url')
    return { value, print: () => console.log(`Password, shown only this once:\n  ${value}`) }
  }
  const value = (await text(process.stdin)).replace(/\r?\n$/, '')
  return { value, print: () => {} }
}
