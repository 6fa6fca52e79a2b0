/** What `/robots.txt` says before the filter: WordPress's `do_robots`. */
export function robotsText(): string {
  return ['User-agent: *', 'Disallow: /wp-admin/', 'Allow: /wp-admin/admin-ajax.php', ''].join('\n')
}
