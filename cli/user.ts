import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import type { Site } from '../app/create-site.ts'
import type { User } from '../core/auth/types.ts'
import { callWordPressRoute } from './call-route.ts'
import { findUser } from './find-user.ts'
import { type OutputOptions, printItem, printList, type Row, withItemOutput, withListOutput } from './output.ts'
import { readAll } from './read-all.ts'
import { withHost } from './with-host.ts'

/** `pentad user …`, with the fields of WP-CLI's `wp user`: lists and changes users, their passwords and application passwords. */
export function userCommand(): Command {
  const user = new Command('user').description('manage users and their passwords')
  user
    .command('create')
    .argument('<login>')
    .argument('[email]')
    .option('--email <address>', 'the same as the second argument')
    .option('--role <role>', 'administrator, editor, author, contributor, or subscriber', 'subscriber')
    .option('--password-stdin', 'read the password from standard input instead of generating one')
    .description('create a user')
    .action(create)
  withListOutput(user.command('list'))
    .option('--role <role>', 'only users with this role')
    .description('list users')
    .action(list)
  withItemOutput(user.command('get'))
    .argument('<user>', 'ID, login, or email address')
    .description('show one user')
    .action(get)
  user
    .command('update')
    .argument('<user>', 'ID, login, or email address')
    .option('--user_email <address>')
    .option('--display_name <name>')
    .option('--first_name <name>')
    .option('--last_name <name>')
    .option('--user_url <url>')
    .option('--role <role>')
    .description("update a user; a new role ends the user's sessions")
    .action(update)
  user
    .command('delete')
    .argument('<users...>', 'ID, login, or email address')
    .option('--reassign <user>', 'user to whom the posts are reassigned')
    .option('--yes', 'delete without reassigning posts; they are moved to the trash')
    .description('delete users')
    .action(remove)
  user
    .command('password')
    .argument('<login>')
    .option('--password-stdin', 'read the password from standard input instead of generating one')
    .description(
      "set a new password; ends all of the user's sessions and revokes all of the user's application passwords",
    )
    .action(setPassword)
  user
    .command('reset-password')
    .argument('<users...>', 'ID, login, or email address')
    .option('--show-link', 'print the link instead of sending it')
    .description('email users a link to set a new password')
    .action(sendPasswordLinks)
  user
    .command('reset-two-factor')
    .argument('<users...>', 'ID, login, or email address')
    .description('turn off two-factor authentication for users who lost their device')
    .action(resetTwoFactor)
  user
    .command('app-password')
    .argument('<login>')
    .argument('<name>', 'name of the application, for example "deploy script"')
    .description('create an application password for REST clients')
    .action(createApplicationPassword)
  return user
}

async function create(
  login: string,
  given: string | undefined,
  { email = given, role, passwordStdin }: { email?: string; role: string; passwordStdin?: boolean },
): Promise<void> {
  if (email === undefined) throw new Error('The email address is missing: user create <login> <email>.')
  await withHost(async (host) => {
    requireRole(host, role)
    const password = await choosePassword(passwordStdin)
    const user = await host.auth.users.create({ login, email, roles: [role], password: password.value })
    console.log(`Created user ${user.login} (ID ${user.id}, ${role}).`)
    password.print()
  })
}

/** Of `wp user list`. */
const LISTED = ['ID', 'user_login', 'display_name', 'user_email', 'user_registered', 'roles']

async function list(given: OutputOptions & { role?: string }): Promise<void> {
  await withHost(async (host) => {
    const { users } = host.auth
    const roles = given.role === undefined ? undefined : [requireRole(host, given.role)]
    const found = await readAll((page) => users.query({ roles, orderBy: 'id', order: 'asc', ...page }))
    printList(found.map(toRow), given, LISTED)
  })
}

async function get(name: string, given: OutputOptions): Promise<void> {
  await withHost(async (host) => printItem(toRow(await findUser(host, name)), given))
}

interface Changes {
  readonly user_email?: string
  readonly display_name?: string
  readonly first_name?: string
  readonly last_name?: string
  readonly user_url?: string
  readonly role?: string
}

async function update(name: string, given: Changes): Promise<void> {
  await withHost(async (host) => {
    const { id, login } = await findUser(host, name)
    if (Object.keys(given).length === 0) throw new Error('Nothing to update. Add an option, for example --role=editor.')
    await host.auth.users.update(id, {
      ...(given.user_email !== undefined && { email: given.user_email }),
      ...(given.display_name !== undefined && { displayName: given.display_name }),
      ...(given.first_name !== undefined && { firstName: given.first_name }),
      ...(given.last_name !== undefined && { lastName: given.last_name }),
      ...(given.user_url !== undefined && { url: given.user_url }),
      ...(given.role !== undefined && { roles: [requireRole(host, given.role)] }),
    })
    console.log(`Updated user ${login}.`)
  })
}

async function remove(names: readonly string[], given: { reassign?: string; yes?: boolean }): Promise<void> {
  await withHost(async (host) => {
    if (given.reassign === undefined && !given.yes) {
      throw new Error('Reassign the posts with --reassign=<user>, or move them to the trash with --yes.')
    }
    const reassign = given.reassign === undefined ? 'false' : String((await findUser(host, given.reassign)).id)
    const users: User[] = []
    for (const name of names) users.push(await findUser(host, name))
    for (const { id, login } of users) {
      await callWordPressRoute(host, 'DELETE', `/wp/v2/users/${id}?force=true&reassign=${reassign}`)
      console.log(`Deleted user ${login}.`)
    }
  })
}

/** WordPress's columns. */
function toRow(user: User): Row {
  return {
    ID: user.id,
    user_login: user.login,
    display_name: user.displayName,
    user_email: user.email,
    user_registered: user.registered,
    roles: user.roles.join(','),
    user_nicename: user.slug,
    user_url: user.url,
    first_name: user.firstName,
    last_name: user.lastName,
    locale: user.locale,
  }
}

function requireRole(host: Site, role: string): string {
  const roles = [...host.auth.roles().keys()]
  if (!roles.includes(role)) throw new Error(`There is no role "${role}". Roles: ${roles.join(', ')}`)
  return role
}

async function setPassword(login: string, { passwordStdin }: { passwordStdin?: boolean }): Promise<void> {
  await withHost(async (host) => {
    const user = await findUser(host, login)
    const password = await choosePassword(passwordStdin)
    await host.auth.users.update(user.id, { password: password.value })
    console.log(
      `Changed the password of ${user.login}. All sessions ended, and all application passwords were revoked.`,
    )
    password.print()
  })
}

async function sendPasswordLinks(names: string[], { showLink }: { showLink?: boolean }): Promise<void> {
  await withHost(async (host) => {
    const users: User[] = []
    for (const name of names) users.push(await findUser(host, name))
    for (const user of users) {
      const detail = { occasion: 'reset' }
      if (showLink) {
        const url = await host.passwordLinks.createUrl(user)
        console.log(`Link for ${user.login}. It works once, for 24 hours:\n  ${url}`)
      } else {
        const { file } = await host.passwordLinks.send(user, 'reset')
        console.log(
          file === undefined
            ? `Sent a link to ${user.email} for ${user.login}.`
            : `No SMTP server is configured. The email for ${user.login} was stored in ${file}.`,
        )
      }
      await host.auth.securityLog.record('password_link_sent', { user, detail })
    }
  })
}

async function resetTwoFactor(names: string[]): Promise<void> {
  await withHost(async (host) => {
    const users: User[] = []
    for (const name of names) users.push(await findUser(host, name))
    for (const user of users) {
      const wasOn = await host.twoFactor.disable(user)
      console.log(
        wasOn
          ? `Turned off two-factor authentication for ${user.login}.`
          : `${user.login} does not use two-factor authentication.`,
      )
    }
  })
}

async function createApplicationPassword(login: string, name: string): Promise<void> {
  await withHost(async (host) => {
    const user = await findUser(host, login)
    const { password } = await host.auth.applicationPasswords.create(user.id, name)
    console.log(`Application password of ${user.login} for "${name}", shown only once:\n  ${password}`)
  })
}

/** Passwords are not accepted as arguments, which every process of the machine can read. */
async function choosePassword(fromStdin: boolean | undefined): Promise<{ value: string; print(): void }> {
  if (!fromStdin) {
    const value = randomBytes(18).toString('base64url')
    return { value, print: () => console.log(`Password, shown only once:\n  ${value}`) }
  }
  const value = (await text(process.stdin)).replace(/\r?\n$/, '')
  return { value, print: () => {} }
}
