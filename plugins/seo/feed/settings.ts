import { line, toggle } from 'pentad'

/** Settings of the RSS signature. */
export const feedSettings = {
  rssSignature: toggle('on', 'RSS signature', 'Whoever copies a post from the feed copies the way back too.', 'feed'),
  rssSignatureText: line(500).default('The post %post_link% appeared first on %site_link%.').meta({
    title: 'Text of the signature',
    description: 'Stands below each post of a feed. Variables: %post_link%, %site_link%, %author%.',
    group: 'feed',
  }),
}
