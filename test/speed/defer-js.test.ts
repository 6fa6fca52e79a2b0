import { expect } from 'chai'
import { type PageUnderTest, startPage } from './page-under-test.ts'

describe('Deferred scripts', () => {
  let page: PageUnderTest
  const script = async (name: string, code = `var ${name} = 1`, more = '') =>
    `<script${more} src="${await page.themeFile(`${name}.js`, code)}"></script>`
  /** File names of the scripts that are deferred. */
  async function deferred(body: string, head = ''): Promise<string[]> {
    const html = await page.show(body, head)
    return [...html.matchAll(/<script[^>]* defer[^>]*src="[^"]*\/(\w+)\.js/g)].map(([, name]) => name ?? '')
  }

  before(async () => {
    page = await startPage({ deferJs: 'on' })
  })
  after(() => page.close())

  it('are those with an address, in their order, of this site and of others', async () => {
    const head = `${await script('one')}<script src="https://other.example/two.js"></script>`
    expect(await deferred(`<p>a</p>${await script('three')}`, head)).to.deep.equal(['one', 'two', 'three'])
  })

  it('are none of those that an inline script after them may use', async () => {
    const body = `${await script('one')}<script>one.start()</script>${await script('two')}`
    expect(await deferred(body)).to.deep.equal(['two'])
  })

  it('may have data and settings printed between them', async () => {
    const body = `${await script('one')}<script>var settings = {"a":[1,2],"b":"x"};</script><script type="application/json">{}</script><script type="text/html">a</script>${await script('two')}`
    expect(await deferred(body)).to.deep.equal(['one', 'two'])
    const code = `${await script('one')}<script>var settings = {"a": one.size};</script>`
    expect(await deferred(code)).to.deep.equal([])
  })

  it('are found however many blanks a script has that only looks like data', async () => {
    const code = `<script>var settings = [1${' '.repeat(20_000)}one]</script>`
    expect(await deferred(`${await script('one')}${code}${await script('two')}`)).to.deep.equal(['two'])
  })

  it('are none that write into the page as it is read, nor any before those', async () => {
    const body = `${await script('one')}${await script('writer', 'document.write("x")')}${await script('two')}`
    expect(await deferred(body)).to.deep.equal(['two'])
    expect(await deferred(await script('place', 'document.currentScript.after("x")'))).to.deep.equal([])
  })

  it('of other hosts are none within the text: they may write in their place', async () => {
    expect(await deferred('<p>a</p><script src="https://other.example/embed.js"></script><p>b</p>')).to.deep.equal([])
  })

  it('do not overtake and are not overtaken by modules and scripts that were deferred already', async () => {
    const module = await script('module', 'a()', ' type="module"')
    expect(await deferred(`${await script('one')}${module}`)).to.deep.equal(['one'])
    expect(await deferred(`${module}${await script('one')}`)).to.deep.equal([])
    const already = '<script src="https://other.example/already.js" DEFER></script>'
    expect(await deferred(`${already}${await script('one')}`)).to.deep.equal([])
  })

  it('are none with async, for old browsers only, excluded or protected', async () => {
    await page.set({ optimizationExclusions: ['excluded'] })
    expect(await deferred(await script('one', 'a', ' async'))).to.deep.equal([])
    expect(await deferred(await script('one', 'a', ' nomodule'))).to.deep.equal([])
    expect(await deferred(`${await script('one')}${await script('excluded')}${await script('two')}`)).to.deep.equal([
      'two',
    ])
    expect(await deferred(`<div data-no-optimize>${await script('one')}</div>${await script('two')}`)).to.deep.equal([
      'two',
    ])
    expect(await deferred(`<template>${await script('one')}</template>`)).to.deep.equal([])
    await page.set({ optimizationExclusions: [] })
  })

  it('are none on a page whose elements call functions as soon as they are loaded', async () => {
    expect(await deferred(`${await script('one')}<img src="a.png" onload="one()">`)).to.deep.equal([])
  })
})
