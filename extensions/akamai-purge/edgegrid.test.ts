import { expect } from 'chai'
import { authorize } from './edgegrid.ts'

describe('EdgeGrid signatures', () => {
  it('are those of Akamai’s test data', () => {
    const client = {
      host: 'akaa-baseurl-xxxxxxxxxxx-xxxxxxxxxxxxx.luna.akamaiapis.net',
      clientToken: 'akab-client-token-xxx-xxxxxxxxxxxxxxxx',
      accessToken: 'akab-access-token-xxx-xxxxxxxxxxxxxxxx',
      clientSecret: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx=',
    }
    const request = { path: '/testapi/v1/t3', body: 'data'.repeat(8) }
    const made = { time: new Date('2014-03-21T19:34:21Z'), nonce: 'nonce-xx-xxxx-xxxx-xxxx-xxxxxxxxxxxx' }
    expect(authorize(client, request, made)).to.equal(
      'EG1-HMAC-SHA256 client_token=akab-client-token-xxx-xxxxxxxxxxxxxxxx;access_token=akab-access-token-xxx-xxxxxxxxxxxxxxxx;timestamp=20140321T19:34:21+0000;nonce=nonce-xx-xxxx-xxxx-xxxx-xxxxxxxxxxxx;signature=hXm4iCxtpN22m4cbZb4lVLW5rhX8Ca82vCFqXzSTPe4=',
    )
  })
})
