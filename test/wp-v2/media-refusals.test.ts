import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { onEachDatabase } from '../support/databases.ts'
import { jpeg, type MediaSite, openMediaSite } from './media-site.ts'

onEachDatabase('POST /wp/v2/media', (databaseUrl) => {
  let site: MediaSite
  before(async () => {
    site = await openMediaSite(await databaseUrl(), { maxUpload: 3_000_000 })
  })
  after(() => site?.close())

  describe('refuses as WordPress does', () => {
    const body = { 'content-type': 'image/jpeg', 'content-disposition': 'attachment; filename=a.jpg' }
    const cases: [
      title: string,
      send: () => Promise<{ status: number; item: Readonly<Record<string, unknown>> }>,
      status: number,
      code: string,
    ][] = [
      ['nothing', () => site.uploadBody(Buffer.alloc(0), body), 400, 'rest_upload_no_data'],
      ['JSON without a file', () => site.send('POST', '/wp/v2/media', { title: 'x' }), 400, 'rest_upload_no_data'],
      [
        'a body without a name',
        async () => site.uploadBody(await jpeg(9, 9), { 'content-type': 'image/jpeg' }),
        400,
        'rest_upload_no_content_disposition',
      ],
      [
        'a broken disposition',
        async () => site.uploadBody(await jpeg(9, 9), { ...body, 'content-disposition': 'filename' }),
        400,
        'rest_upload_invalid_disposition',
      ],
      [
        'a wrong sum',
        async () => site.uploadBody(await jpeg(9, 9), { ...body, 'content-md5': 'abc' }),
        412,
        'rest_upload_hash_mismatch',
      ],
      ['a body that is no media', () => site.uploadBody(Buffer.from('<?php'), body), 400, 'rest_upload_sideload_error'],
      [
        'a form with a file that is no media',
        () => site.uploadForm(Buffer.from('<?php'), 'a.php'),
        400,
        'rest_upload_unknown_error',
      ],
      [
        'a parent that is a file',
        async () =>
          site.uploadForm(await jpeg(9, 9), 'a.jpg', {
            post: String((await site.uploadForm(await jpeg(9, 9), 'p.jpg')).item.id),
          }),
        400,
        'rest_invalid_param',
      ],
      [
        'a wrong date',
        async () => site.uploadForm(await jpeg(9, 9), 'a.jpg', { date: 'soon' }),
        400,
        'rest_invalid_param',
      ],
      [
        'a file that is too large',
        () => site.uploadForm(Buffer.alloc(3_000_001), 'a.jpg'),
        413,
        'rest_request_too_large',
      ],
      ['a body that is too large', () => site.uploadBody(Buffer.alloc(3_000_001), body), 413, 'rest_request_too_large'],
    ]
    for (const [title, send, status, code] of cases) {
      it(title, async () => {
        const answer = await send()
        expect([answer.status, answer.item.code]).to.deep.equal([status, code])
        expect(site.waiting()).to.deep.equal([])
      })
    }

    it('takes a right sum, in base64 and as WordPress wants it', async () => {
      const file = await jpeg(9, 9)
      for (const form of ['hex', 'base64'] as const) {
        const sum = createHash('md5').update(file).digest(form)
        expect((await site.uploadBody(file, { ...body, 'content-md5': sum })).status).to.equal(201)
      }
    })
  })
})
