"""Every number of the town's rules. Meters are per mille, stocks units, times days.

`docs/town-engine.md` shows this table; a test compares the two. Changing a number changes what a
journal replays to, so `RULES_VERSION` goes up with it.
"""

from typing import Final

RULES_VERSION: Final = 1

# A town on its first day.
START_METERS: Final = {"threat": 350, "scarcity": 400, "hope": 550, "dread": 300}
START_STOCKS: Final = {"food": 400, "timber": 60, "iron": 20}
START_POPULATION: Final = 40
PEOPLE_PER_NAMED_FOLK: Final = 8

# Talk: hope up (a share of the hope that is missing), dread down a little. The n-th talk of a day
# does 1/n.
TALK_HOPE: Final = {"morale-boost": 120, "casual": 30}
TALK_DREAD: Final = {"morale-boost": 30, "casual": 10}

# Salvage: stocks in, and the meter it is about down. The n-th salvage of a day does 1/n.
SALVAGE_FOOD: Final = {"scarcity": 30, "dread": 0, "general": 12}
SALVAGE_TIMBER: Final = {"scarcity": 8, "dread": 4, "general": 8}
SALVAGE_IRON: Final = {"scarcity": 2, "dread": 1, "general": 4}
SALVAGE_SCARCITY: Final = {"scarcity": 130, "dread": 0, "general": 70}
SALVAGE_DREAD: Final = {"scarcity": 0, "dread": 160, "general": 80}

# Projects: what one step costs, how many there are, what a step and the last step do at once.
STEP_TIMBER: Final = 14
STEP_IRON: Final = 4
STEP_THREAT: Final = 60
STEP_HOPE: Final = 15
DONE_HOPE: Final = 120
DONE_PUSH: Final = 200
WORK_LEVELS: Final = 4  # Most works of one kind that still help more.
WORK_LIFE_DAYS: Final = 90  # Each work falls to ruin on one day in this many, by chance.
PROJECT_SHOWN_DAYS: Final = 20  # How long a completed project stays on the board.
OPEN_PROJECTS: Final = 3  # The town plans a new project when fewer than these are unfinished.
PLAN_CHANCE: Final = 250
ACCIDENT_CHANCE: Final = 15
ACCIDENT_DAYS: Final = 4

# Missions: accepted, carried a little further each day, won or lost.
ACCEPT_HOPE: Final = 40
MISSION_PACE: Final = 90
MISSION_HOPE_SHARE: Final = 12  # Hope divided by this is added to the day's pace.
MISSION_COMPLEXITY_DRAG: Final = 9
MISSION_THREAT_SHARE: Final = 20  # Threat divided by this is taken from the day's pace.
MISSION_LEAST_PACE: Final = 10
MISSION_LUCK: Final = 60  # A day's pace is also better or worse by up to this, by chance.
MISSION_DAYS: Final = 7  # Days until it fails, and one more for each point of complexity.
WON_HOPE: Final = 160
WON_PUSH: Final = 180
LOST_HOPE: Final = 120
LOST_DREAD: Final = 120

# Quests: what townsfolk ask for.
QUEST_CHANCE: Final = 350
NEED_LUCK: Final = 300  # Each meter gets up to this by chance before the worst one is picked.
OPEN_QUESTS: Final = 8  # Townsfolk post no more while this many are open.
QUEST_DAYS: Final = 25  # A quest that nobody took is withdrawn after this many days.
COMPLEXITY_LIMIT: Final = 10
REWARD_BASE: Final = 20
REWARD_PER_COMPLEXITY: Final = 10
REWARD_STOCK_SHARE: Final = 8  # A reward divided by this is paid in each stock, more in the need's.
REWARD_LIMIT: Final = 1_000_000

# The economy of a day.
FIELDS_FOOD: Final = 26  # Food that the fields give each day, however many people work them.
HANDS_PER_FOOD: Final = 2  # This many people bring in one more food.
GRANARY_FOOD: Final = 3  # More food a day for each granary.
PEOPLE_PER_TIMBER: Final = 12
PEOPLE_PER_IRON: Final = 40
STORE_LIMIT: Final = 1200  # Most of one stock that the town can keep.
SPOIL_DAYS: Final = 80  # One part in this many of every stock rots or rusts each day.
HUNGER_SCARCITY: Final = 850  # Where scarcity settles with empty stores.
STORED_DAY_RELIEF: Final = 35  # What each day's worth of food in the stores takes off that.
LEAST_SCARCITY: Final = 120

# Where the other meters settle, left alone; each day they go one part in DRIFT_DAYS of the way.
DRIFT_DAYS: Final = 14
THREAT_REST: Final = 640
WALL_RELIEF: Final = 70
DREAD_REST: Final = 330
DREAD_THREAT_SHARE: Final = 3
CHAPEL_RELIEF: Final = 70
HOPE_REST: Final = 480
STRAIN_BORNE: Final = 800
HOPE_STRAIN_SHARE: Final = 4  # Scarcity and dread above STRAIN_BORNE, over this, lower hope's rest.
HALL_RELIEF: Final = 60
JITTER: Final = 12  # Each meter also moves by up to this, either way, by chance.

# The deck.
EVENT_CHANCE: Final = 280
EVENT_SHOWN_DAYS: Final = 6

# People come and go.
GROW_BELOW_SCARCITY: Final = 420
GROW_ABOVE_HOPE: Final = 480
GROW_CHANCE: Final = 350
GROW_STORED_DAYS: Final = 5  # With food for fewer days nobody comes; with none, people leave.
LEAVE_ABOVE_SCARCITY: Final = 720
LEAVE_ABOVE_DREAD: Final = 850
LEAVE_CHANCE: Final = 300
LEAST_POPULATION: Final = 8
MOST_POPULATION: Final = 240
