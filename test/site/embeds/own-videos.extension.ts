import { defineExtension } from 'pentad'

export default defineExtension({
  id: 'own-videos',
  name: 'Own videos',
  version: '1.0.0',
  setup({ content }) {
    content.addOembedProvider('http://own.invalid/watch/*', 'https://own.invalid/oembed.{format}')
    content.addOembedProvider('^https://short\\.invalid/\\d+$', 'https://own.invalid/oembed', true)
  },
})
