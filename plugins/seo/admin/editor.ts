import { defineEditor } from 'pentad/admin'
import { SeoBox } from './editor/seo-box.tsx'

export default defineEditor({
  id: 'seo',
  place: 'below the text',
  Fields: SeoBox,
  metaPrefix: '_seo_',
  invalidates: ['seo/v1/retrieval-score', 'seo/v1/link-suggestions'],
})
