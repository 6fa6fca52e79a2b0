import { expect } from 'chai'
import { isPublicAddress } from '../../cms/http/public-address.ts'
import { requestPublic } from '../../cms/http/public-request.ts'

describe('addresses', () => {
  it('distinguishes public addresses from all others', () => {
    for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700::1111'])
      expect(isPublicAddress(address), address).to.equal(true)
    for (const address of [
      '0.0.0.0',
      '100.64.0.1',
      '172.31.0.1',
      '192.168.1.1',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      'fe80::1',
      'fc00::1',
      '::ffff:8.8.8.8',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '2001:db8::1',
      'host',
    ])
      expect(isPublicAddress(address), address).to.equal(false)
  })

  it('at ports of other services than websites are not asked', async () => {
    // It ends before a connection is made.
    const signal = AbortSignal.abort(new Error('stopped'))
    const reasonOf = async (url: string, allowsAnyPort = false) =>
      requestPublic(url, { signal, allowsHttp: true, allowsAnyPort }).then(
        () => '',
        (error: Error) => error.name,
      )
    for (const url of ['http://example.org:22/', 'https://8.8.8.8:6379/', 'http://example.org:8081/'])
      expect(await reasonOf(url), url).to.equal('RefusedAddress')
    for (const url of ['http://example.org/', 'https://example.org:80/', 'http://example.org:8080/'])
      expect(await reasonOf(url), url).to.equal('AbortError')
    expect(await reasonOf('http://example.org:8081/', true)).to.equal('AbortError')
  })
})
