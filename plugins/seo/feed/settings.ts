import { line, toggle } from 'pentad'

/** Settings of the RSS footer. */
export const feedSettings = {
  rssSignature: toggle(
    'on',
    'RSS footer',
    'Adds a link to the original below each post in the feed, so that scraped copies link back.',
    'feed',
  ),
  rssSignatureText: line(500).default('The post %post_link% appeared first on %site_link%.').meta({
    title: 'RSS footer text',
    description: 'Shown below each post in the feed. Available variables: %post_link%, %site_link%, %author%.',
    group: 'feed',
  }),
}
