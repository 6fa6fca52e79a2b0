import { readFileSync } from 'node:fs'
import { slug } from 'github-slugger'
import { defineConfig } from 'vitepress'

const sidebar = JSON.parse(readFileSync(new URL('../pages/sidebar.json', import.meta.url), 'utf8'))

export default defineConfig({
  title: 'Pentad',
  description: 'A small self-hosted CMS in TypeScript with WordPress-style actions and filters',
  srcDir: 'pages',
  outDir: '../dist/website',
  cacheDir: '../dist/website-cache',
  cleanUrls: false,
  lastUpdated: false,
  // The pages are also read in the repository, whose anchors GitHub makes.
  markdown: { anchor: { slugify: (text) => slug(text) } },
  // REST routes are rendered by Swagger UI, from a file of its own.
  ignoreDeadLinks: [/^\/rest-api\//],
  vite: { build: { chunkSizeWarningLimit: 5000 } },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Guides', link: '/guides/extensions' },
      { text: 'Hooks', link: '/reference/hooks' },
      { text: 'REST API', link: '/rest-api/index.html', target: '_self' },
    ],
    sidebar,
    outline: 'deep',
  },
})
