import { expect } from 'chai'
import { createExtensionSite, type ExtensionSite, extensionSource, refusal } from './extension-site.ts'

const weather = (word: string) =>
  extensionSource('weather', `host.decorate('weather', { unit: 'C', today: (city) => '${word} in ' + city })`)

describe('host.decorate', () => {
  let site: ExtensionSite

  beforeEach(async () => {
    site = await createExtensionSite()
    site.write('weather', { 'index.ts': weather('Sunny') })
    const read = `host.hooks.addFilter('test_text', (city) => host.weather?.today(city) ?? 'unknown')`
    site.write('a-reader', { 'index.ts': extensionSource('a-reader', read) })
    await site.extensions.load()
    await site.extensions.activate('a-reader')
  })
  afterEach(() => site.close())

  it('gives other extensions a member of host while the extension runs, also those that started before', async () => {
    expect(site.text('Rome')).to.equal('unknown')
    await site.extensions.activate('weather')
    expect(site.text('Rome')).to.equal('Sunny in Rome')
    await site.extensions.deactivate('weather')
    expect(site.text('Rome')).to.equal('unknown')
  })

  it('is swapped by a reload, and stays where the new version fails', async () => {
    await site.extensions.activate('weather')
    site.write('weather', { 'index.ts': weather('Rainy') })
    await site.extensions.reload('weather')
    expect(site.text('Rome')).to.equal('Rainy in Rome')
    site.write('weather', {
      'index.ts': weather('Icy').replace('async setup(host) {', '$& void Promise; throw new Error("no")'),
    })
    expect((await refusal(site.extensions.reload('weather'))).message).to.contain('no')
    expect(site.text('Rome')).to.equal('Rainy in Rome')
  })

  it('refuses the names of other members, of the host and of other extensions', async () => {
    await site.extensions.activate('weather')
    for (const [name, message] of [
      ['hooks', 'host.hooks is reserved by the host.'],
      ['weather', 'Extension second cannot add host.weather, because it already exists.'],
      ['toString', 'Extension second cannot add host.toString, because it already exists.'],
      ['not-a-name', 'host.not-a-name must be named in camel case, with letters and digits.'],
    ]) {
      site.write('second', { 'index.ts': extensionSource('second', `host.decorate('${name}', {})`) })
      expect((await refusal(site.extensions.activate('second'))).message).to.contain(message)
    }
    expect(site.text('Rome')).to.equal('Sunny in Rome')
  })

  it('gives a frozen copy', async () => {
    await site.extensions.activate('weather')
    const change = `host.hooks.addFilter('test_text', () => {
      const isChanged = Reflect.set(host.weather, 'unit', 'F') || Reflect.set(host.weather, 'today', () => '')
      return host.weather.unit + isChanged
    }, 20)`
    site.write('vandal', { 'index.ts': extensionSource('vandal', change) })
    await site.extensions.activate('vandal')
    expect(site.text('Rome')).to.equal('Cfalse')
  })

  it('throws for extensions that still hold a reference to it', async () => {
    await site.extensions.activate('weather')
    const hold = `const weather = host.weather; host.hooks.addFilter('test_text', (city) => weather.today(city), 5)`
    site.write('holder', { 'index.ts': extensionSource('holder', hold) })
    await site.extensions.activate('holder')
    await site.extensions.deactivate('weather')
    expect(site.text('Rome')).to.equal('unknown')
    const [record] = site.records.filter(({ extension }) => extension === 'holder').slice(-1)
    expect(record).to.have.nested.property('err.message', 'Extension weather was unloaded, and host.weather with it.')
  })
})
