import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { RestError } from 'pentad'
import { createTestHost, type TestHost } from 'pentad/testing'
import { temporaryFolder } from '../support/site-folder.ts'

const FOLDER = join(temporaryFolder(), 'tools')

/** Writes an extension whose `setup` registers that. */
function write(abilities: string): void {
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(
    join(FOLDER, 'index.ts'),
    `import { defineExtension, RestError } from 'pentad'
     import { z } from 'zod'
     export default defineExtension({ id: 'tools', name: 'Tools', version: '1.0.0', setup({ abilities }) {
       const common = { label: 'L', description: 'D', category: 'site', permission: 'edit_posts', readonly: true }
       const output = z.object({ answer: z.string() })
       ${abilities}
     } })`,
  )
}

const GREET = `abilities.register({ ...common, name: 'tools/greet', input: z.object({ name: z.string() }), output,
  execute: ({ name }, caller) => ({ answer: 'Hello ' + name + ', says ' + caller.login, secret: 'key' }) })`

describe("an extension's abilities", () => {
  let site: TestHost
  before(async () => {
    write(GREET)
    site = await createTestHost({ extensions: [FOLDER] })
  })
  after(() => site.close())

  const caller = async () => (await site.host.auth.users.getByLogin('admin')) ?? null

  /** What `run` of that ability, registered anew, refuses with. */
  async function refusalOf(abilities: string, name: string): Promise<RestError> {
    write(abilities)
    await site.reload('tools')
    const error = await site.host.abilities.run(name, {}, await caller()).catch((thrown: unknown) => thrown)
    if (!(error instanceof RestError)) throw new Error(`It was not refused: ${error}`)
    return error
  }

  /** Why the extension is not set up like that; what ran before runs on. */
  async function faultOf(abilities: string): Promise<string> {
    write(abilities)
    const error = await site.reload('tools').catch((thrown: unknown) => thrown)
    return error instanceof Error ? error.message : 'none'
  }

  it('are run for their caller, and answer only what their schema has', async () => {
    const answer = await site.host.abilities.run('tools/greet', { name: 'Ann', other: 1 }, await caller())
    expect(answer).to.deep.equal({ answer: 'Hello Ann, says admin' })
  })

  it('go with the extension', async () => {
    await site.host.extensions.deactivate('tools')
    expect(site.host.abilities.names()).to.not.include('tools/greet')
    await site.host.extensions.activate('tools')
    expect(site.host.abilities.names()).to.include('tools/greet')
    await site.expectNoLeaks('tools')
  })

  it('are replaced all at once by a reload', async () => {
    write(GREET.replace('greet', 'wave'))
    await site.reload('tools')
    expect(site.host.abilities.names()).to.include('tools/wave').and.not.include('tools/greet')
  })

  it('refuse with an error of their own', async () => {
    const refuse = `abilities.register({ ...common, name: 'tools/fail', output,
      execute: () => { throw new RestError('tools_busy', 'Later.', { status: 409 }) } })`
    expect(await refusalOf(refuse, 'tools/fail')).to.include({ code: 'tools_busy', status: 409 })
  })

  it('keep their bugs to themselves and the log', async () => {
    const fail = `abilities.register({ ...common, name: 'tools/fail', output, execute: () => { throw new Error('/etc/key') } })`
    const error = await refusalOf(fail, 'tools/fail')
    expect(error).to.include({ code: 'internal_error', status: 500 })
    expect(JSON.stringify([error.message, error.data])).to.not.contain('/etc/key')
    const lie = `abilities.register({ ...common, name: 'tools/lie', output, execute: () => ({ answer: 7 }) })`
    expect(await refusalOf(lie, 'tools/lie')).to.include({ code: 'internal_error' })
  })

  it('may refuse a caller for this input only', async () => {
    const choosy = `abilities.register({ ...common, name: 'tools/choosy', output, permits: async () => false, execute: () => ({ answer: '' }) })`
    expect(await refusalOf(choosy, 'tools/choosy')).to.include({ code: 'rest_ability_cannot_execute', status: 403 })
  })

  it('have no preview unless they implement one', async () => {
    write(GREET)
    await site.reload('tools')
    const told = site.host.abilities.preview('tools/greet', { name: 'Ann' }, await caller())
    expect(await told.catch((error: unknown) => error)).to.include({ code: 'ability_no_preview', status: 409 })
  })

  it('fire hooks, which can reject them', async () => {
    const { hooks, abilities } = site.host
    const told: unknown[] = []
    const after = (...all: unknown[]) => {
      told.push(all)
    }
    const before = () => {
      throw new RestError('not_now', 'Not now.', { status: 409 })
    }
    hooks.addAction('wp_after_execute_ability', after)
    const admin = await caller()
    await abilities.run('tools/greet', { name: 'Ann' }, admin)
    expect(told).to.deep.equal([['tools/greet', { name: 'Ann' }, { answer: 'Hello Ann, says admin' }, admin]])
    hooks.addAction('wp_before_execute_ability', before)
    const refused = await abilities.run('tools/greet', { name: 'Ann' }, admin).catch((error: unknown) => error)
    expect(refused).to.include({ code: 'not_now' })
    expect(told).to.have.lengthOf(1)
    hooks.removeAction('wp_before_execute_ability', before)
    hooks.removeAction('wp_after_execute_ability', after)
  })

  it('exist only with a license if they are marked so', async () => {
    const pro = `abilities.register({ ...common, name: 'tools/pro', pro: true, output, execute: () => ({ answer: '' }) })`
    expect(await refusalOf(pro, 'tools/pro')).to.include({ code: 'rest_ability_not_found' })
    expect(site.host.abilities.names()).to.not.include('tools/pro')
  })

  it('need a name, a category that is there, and no twin', async () => {
    expect(await faultOf(GREET.replace('tools/greet', 'greet'))).to.contain('"greet" is not a valid ability name')
    expect(await faultOf(GREET.replace('tools/greet', `tools/${'x'.repeat(60)}`))).to.contain(
      'is not a valid ability name',
    )
    expect(await faultOf(GREET.replace('...common', "...common, category: 'none'"))).to.contain(
      'has an unregistered category: none',
    )
    expect(await faultOf(GREET.replace('tools/greet', 'content/search'))).to.contain(
      'An ability named content/search already exists',
    )
    expect(await faultOf(`abilities.registerCategory({ slug: 'site', label: 'S', description: 'D' })`)).to.contain(
      'An ability category with the slug site already exists',
    )
  })
})
