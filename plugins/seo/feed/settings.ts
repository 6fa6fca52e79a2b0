import { line, toggle } from 'pentad'

/** Settings of the RSS signature. */
export const feedSettings = {
  rssSignature: toggle(
    'on',
    'RSS feed signature',
    'Adds a link to the original below each post in the feed, so that scraped copies link back.',
    'feed',
  ),
  rssSignatureText: line(500).default('The post %post_link% appeared first on %site_link%.').meta({
    title: 'Signature text',
    description: 'Shown below each post in the feed. Available variables: %post_link%, %site_link%, %author%.',
    group: 'feed',
  }),
}
