/** Parted by blanks. */
const ranges = (list: string) => list.trim().split(/\s+/)

/**
 * Address lists of operators as they were when this file was written, by where they are published: good until the first
 * refresh. Lists that change from week to week (ChatGPT-User, Google, DuckDuckGo, Apple) are not among them: they are
 * fetched. An address inside is proof; one outside proves nothing until the list has been fetched.
 */
export const SHIPPED_ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  // Published 2025-10-30, and still the same in September 2026.
  'https://openai.com/gptbot.json': ranges(`
    4.227.36.0/25 20.125.66.80/28 20.171.206.0/24 20.171.207.0/24 52.230.152.0/24 74.7.175.128/25 74.7.227.0/25
    74.7.227.128/25 74.7.228.0/25 74.7.230.0/25 74.7.241.0/25 74.7.241.128/25 74.7.242.0/25 74.7.243.128/25
    74.7.244.0/25 132.196.86.0/24 172.182.202.0/25 172.182.204.0/24 172.182.207.0/25 172.182.214.0/24
    172.182.215.0/24
  `),
  // Published 2026-01-02.
  'https://openai.com/searchbot.json': ranges(`
    4.227.36.0/25 20.14.99.96/28 20.25.151.224/28 20.42.10.176/28 20.168.18.32/28 20.169.6.224/28 20.169.7.48/28
    20.169.77.0/25 20.171.53.224/28 20.171.123.64/28 40.67.175.0/25 40.90.214.16/28 51.8.102.0/24 74.7.175.128/25
    74.7.228.0/25 74.7.228.128/25 74.7.229.0/25 74.7.229.128/25 74.7.230.0/25 74.7.241.128/25 74.7.242.128/25
    74.7.243.0/25 74.7.244.0/25 104.210.140.128/28 135.234.64.0/24 172.182.193.80/28 172.182.193.224/28
    172.182.194.32/28 172.182.194.144/28 172.182.195.48/28 172.182.209.208/28 172.182.211.192/28 172.182.213.192/28
    172.182.224.0/28 172.203.190.128/28
  `),
  // Of the list published 2026-08-18 what is certain: the range of its own, and the one at Azure.
  'https://claude.com/crawling/bots.json': ranges('40.124.101.48/28 216.73.216.0/22'),
  // Published 2025-02-07.
  'https://www.perplexity.com/perplexitybot.json': ranges(`
    3.211.124.183/32 3.222.232.239/32 3.224.62.45/32 3.231.139.107/32 18.97.1.228/30 18.97.9.96/29 18.210.92.235/32
    107.20.236.150/32
  `),
  // Published 2025-10-17.
  'https://www.perplexity.com/perplexity-user.json': ranges(
    '18.97.9.96/29 18.97.21.0/30 34.193.163.52/32 44.208.221.197/32',
  ),
  // Published 2024-01-03.
  'https://www.bing.com/toolbox/bingbot.json': ranges(`
    13.66.139.0/24 13.66.144.0/24 13.67.10.16/28 13.69.66.240/28 13.71.172.224/28 20.15.133.160/27 20.36.108.32/28
    20.43.120.16/28 20.74.197.0/28 20.79.107.240/28 20.125.163.80/28 40.77.139.0/25 40.77.167.0/24 40.77.177.0/24
    40.77.178.0/23 40.77.188.0/22 40.77.202.0/24 40.79.131.208/28 40.79.186.176/28 51.105.67.0/28 52.167.144.0/24
    52.231.148.0/28 65.55.210.0/24 139.217.52.0/28 157.55.39.0/24 191.233.204.224/28 199.30.24.0/23 207.46.13.0/24
  `),
  // As of August 2026.
  'https://index.commoncrawl.org/ccbot.json': ranges(
    '18.97.9.168/29 18.97.14.80/29 18.97.14.88/30 98.85.178.216/32 2600:1f28:365:80b0::/60',
  ),
}
