struct CrossingList {}
struct SiteOptions {}
struct Classification {}
