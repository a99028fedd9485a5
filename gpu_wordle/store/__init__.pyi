# The names of this room, each with its module: tools read them here, and __init__.py loads them.

from .contents import Contents as Contents
from .contents import Dataset as Dataset
from .contents import digest as digest
from .hdf5 import check_suffix as check_suffix
from .hdf5 import is_hdf5 as is_hdf5
from .hdf5 import load as load
from .hdf5 import save as save
from .job_file import RankingFile as RankingFile
from .job_file import openers_datasets as openers_datasets
from .job_file import read_openers as read_openers
from .job_file import read_statistics as read_statistics
from .kinds import SimulationFile as SimulationFile
from .kinds import read_analysis as read_analysis
from .kinds import read_simulations as read_simulations
from .kinds import save_analysis as save_analysis
from .provenance import check_same_words as check_same_words
from .provenance import describe as describe
from .provenance import read_objective as read_objective
from .provenance import read_position as read_position
from .provenance import read_words as read_words
from .tree_files import StoredTree as StoredTree
from .tree_files import begun as begun
from .tree_files import check_writable as check_writable
from .tree_files import load_tree as load_tree
from .tree_files import save_tree as save_tree
